import type { Query } from '@crm/data';
import type { ActionType } from '../action-type.api.ts';
import { assignmentChannel } from './channel.ts';
import { addAssignment } from './task-alert.queries.ts';

interface Assigned {
  readonly id: number;
  readonly status: 'incomplete' | 'complete' | 'deleted';
  readonly assigned_user_id?: number | null | undefined;
  readonly notify_assignee: boolean;
  readonly action_type: ActionType;
}

/** The user who assigns a task, in a transaction. */
interface Assigner {
  readonly query: Query;
  readonly requestId: string;
  readonly user: { readonly id: number; readonly act?: { readonly delegation_id: number } | null };
}

/** Adds an alert for a new assignee, in the transaction that assigns the task. Users are not notified of their own actions. */
export async function noteAssignment(
  { query, requestId, user }: Assigner,
  { id, status, assigned_user_id = null, notify_assignee, action_type }: Assigned,
  before: number | null = null,
): Promise<void> {
  if (!notify_assignee || status !== 'incomplete' || assigned_user_id === null) return;
  if (assigned_user_id === before || assigned_user_id === user.id) return;
  await addAssignment(
    { query, requestId },
    {
      task_id: id,
      user_id: assigned_user_id,
      channel: assignmentChannel(action_type),
      delegation_id: user.act?.delegation_id ?? null,
    },
  );
}
