import type { Query } from '@crm/data';
import type { ActionType } from '../tasks/action-type.api.ts';
import { assignmentChannel } from './channel.ts';
import { addAssignment } from './task-alert.queries.ts';

interface Assigned {
  readonly id: number;
  readonly status: 'incomplete' | 'complete' | 'deleted';
  readonly assigned_user_id?: number | null | undefined;
  readonly notify_assignee: boolean;
  readonly action_type: ActionType;
}

/** Who gives a task to somebody, in a transaction. */
interface Assigner {
  readonly query: Query;
  readonly user: { readonly id: number };
}

/** Lets the assignee know of a task that was not theirs before, in the transaction that gives it to them. Nobody is told what they did themselves. */
export async function noteAssignment(
  { query, user }: Assigner,
  { id, status, assigned_user_id = null, notify_assignee, action_type }: Assigned,
  before: number | null = null,
): Promise<void> {
  if (!notify_assignee || status !== 'incomplete' || assigned_user_id === null) return;
  if (assigned_user_id === before || assigned_user_id === user.id) return;
  await addAssignment(query, id, assigned_user_id, assignmentChannel(action_type));
}
