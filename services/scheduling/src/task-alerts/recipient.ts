import { toE164 } from '@crm/delivery';
import { type Channel, reminderChannel } from './channel.ts';
import type { Participants } from './load-participants.ts';
import { missed } from './reminder.queries.ts';
import type { DueAlert } from './task-alert.queries.ts';

type Person = Participants['people'] extends ReadonlyMap<number, infer One> ? One : never;

/** Where an alert goes, or why it goes nowhere: it cannot, or nobody needs it any more. */
export type Recipient =
  | { readonly assignee: Person; readonly channel: Channel; readonly phone: string }
  | { readonly state: 'Failed' | 'Dropped'; readonly reason: string };

/** Whom an alert goes to: a reminder to whoever has the task by now. */
export const assigneeOf = ({ kind, user_id, assigned_user_id }: DueAlert): number | null =>
  kind === 'Assignment' ? user_id : assigned_user_id;

/** A reminder goes as the task says by now. */
export const channelOf = ({ kind, channel, action_type }: DueAlert): Channel | undefined =>
  kind === 'Assignment' ? channel : reminderChannel(action_type);

export function recipientOf(alert: DueAlert, { people, optedOut }: Participants): Recipient {
  const pointless = whyPointless(alert);
  if (pointless) return { state: 'Dropped', reason: pointless };
  const channel = channelOf(alert) ?? 'Email';
  const failed = (reason: string) => ({ state: 'Failed', reason }) as const;
  const assignee = people.get(assigneeOf(alert) ?? 0);
  if (!assignee) return failed('There is no such user.');
  if (!assignee.is_active) return failed('The account of the user is disabled.');
  if (channel === 'Email') return { assignee, channel, phone: '' };
  if (!assignee.phone) return failed('The user has no phone number.');
  const phone = toE164(assignee.phone);
  if (phone === undefined) return failed('The phone number of the user cannot be dialled.');
  if (channel === 'Text' && optedOut.has(phone)) return failed('The number of the user has opted out.');
  return { assignee, channel, phone };
}

function whyPointless(alert: DueAlert): string | undefined {
  if (alert.status !== 'incomplete') return 'The task is not to be done any more.';
  if (!alert.isOfThisTime) return 'The task has another time.';
  if (!alert.notify_assignee || !channelOf(alert)) return 'Nobody is to be told of the task.';
  if (alert.assigned_user_id === null || assigneeOf(alert) !== alert.assigned_user_id)
    return 'The task is not the user’s any more.';
  return alert.isMissed ? missed : undefined;
}
