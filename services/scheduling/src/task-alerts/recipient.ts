import { phoneOfUser } from '@crm/delivery';
import { assigneeOf, channelOf } from './addressee.ts';
import type { Channel } from './channel.ts';
import type { Participants } from './load-participants.ts';
import { missed } from './reminder.queries.ts';
import type { DueAlert } from './task-alert.queries.ts';

type Person = Participants['people'] extends ReadonlyMap<number, infer One> ? One : never;

/** Where an alert is sent, or why it is not: it cannot be, or nobody needs it any more. */
export type Recipient =
  | { readonly assignee: Person; readonly channel: Exclude<Channel, 'Email'>; readonly phone: string }
  /** The remark says why, if another channel was asked for. */
  | { readonly assignee: Person; readonly channel: 'Email'; readonly remark: string | null }
  | { readonly state: 'Failed' | 'Dropped'; readonly reason: string };

export function recipientOf(alert: DueAlert, { people, optedOut }: Participants): Recipient {
  const pointless = whyPointless(alert);
  if (pointless) return { state: 'Dropped', reason: pointless };
  const channel = channelOf(alert) ?? 'Email';
  const assignee = people.get(assigneeOf(alert) ?? 0);
  if (!assignee) return { state: 'Failed', reason: 'The user does not exist.' };
  if (!assignee.is_active) return { state: 'Failed', reason: "The user's account is disabled." };
  if (channel === 'Email') return { assignee, channel, remark: null };
  const reached = phoneOfUser(assignee, channel, optedOut);
  if ('phone' in reached) return { assignee, channel, phone: reached.phone };
  return { assignee, channel: 'Email', remark: `${reached.obstacle} An e-mail was sent instead.` };
}

function whyPointless(alert: DueAlert): string | undefined {
  if (alert.status !== 'incomplete') return 'The task is no longer to be done.';
  if (!alert.isOfThisTime) return 'The due time of the task was changed.';
  if (!alert.notify_assignee || !channelOf(alert)) return 'The assignee is not to be notified of the task.';
  if (alert.assigned_user_id === null || assigneeOf(alert) !== alert.assigned_user_id)
    return 'The task is no longer assigned to the user.';
  return alert.isMissed ? missed : undefined;
}
