import { peopleOf } from '@crm/auth';
import { type ReachedUser, wayToUser } from '@crm/delivery';
import { assigneeOf, channelOf } from './addressee.ts';
import type { Participants } from './load-participants.ts';
import { remindAt } from './remind-at.ts';
import { tooLate } from './reminder.queries.ts';
import type { DueAlert } from './task-alert.queries.ts';

type Person = Participants['people'] extends ReadonlyMap<number, infer One> ? One : never;

/** Where an alert is sent, or why it is not: it cannot be, or it is no longer needed. */
export type Recipient =
  | (ReachedUser & { readonly assignee: Person })
  | { readonly state: 'Failed' | 'Dropped'; readonly reason: string };

export function recipientOf(alert: DueAlert, participants: Participants): Recipient {
  const { people, optedOut } = participants;
  const pointless = whyPointless(alert);
  if (pointless) return { state: 'Dropped', reason: pointless };
  const channel = channelOf(alert) ?? 'Email';
  const assignee = people.get(assigneeOf(alert) ?? 0);
  if (!assignee) return { state: 'Failed', reason: 'The user does not exist.' };
  if (!assignee.is_active) return { state: 'Failed', reason: "The user's account is disabled." };
  const lost = whatIsLost(alert, assignee.id, participants);
  if (lost) return { state: 'Dropped', reason: lost };
  const way = wayToUser(assignee, channel, optedOut);
  return 'obstacle' in way ? { state: 'Failed', reason: way.obstacle } : { assignee, ...way };
}

/** The access that somebody has lost since the task was assigned, so that nobody is notified of it any longer. */
function whatIsLost(
  { owner_user_id, contact_id, delegation_id }: DueAlert,
  assignee: number,
  { rights, about }: Participants,
): string | undefined {
  const owner = rights.users.get(owner_user_id);
  if (!owner) return 'The account of the owner of the task is disabled.';
  if (!peopleOf(owner).has(assignee)) return 'The user no longer works with the owner of the task.';
  if (!rights.stands(delegation_id))
    return 'The broker who assigned the task may no longer act for its owner.';
  if (contact_id === null || !about.has(contact_id)) return undefined;
  if (!rights.sees(assignee, contact_id)) return 'The user can no longer see the contact of the task.';
  if (!rights.sees(owner_user_id, contact_id)) return 'The owner of the task can no longer see its contact.';
  return undefined;
}

function whyPointless(alert: DueAlert): string | undefined {
  if (alert.status !== 'incomplete') return 'The task no longer has to be done.';
  if (!isOfThisTime(alert)) return 'The due time of the task was changed.';
  if (!alert.notify_assignee || !channelOf(alert)) return 'The assignee should not be notified of the task.';
  if (alert.assigned_user_id === null || assigneeOf(alert) !== alert.assigned_user_id)
    return 'The task is no longer assigned to the user.';
  return alert.isTooLate ? tooLate : undefined;
}

/** Whether the task still has the due time of a reminder, and its reminder still has the same time. */
function isOfThisTime({ kind, remind_at, of_due_at, due_at, due_local, ...task }: DueAlert): boolean {
  if (kind === 'Assignment') return true;
  if (due_at === null || due_local === null || due_at !== of_due_at) return false;
  const now = Temporal.Instant.from(remindAt({ ...task, due_at, due_local }));
  return now.equals(Temporal.Instant.from(remind_at));
}
