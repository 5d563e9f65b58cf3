import { type Channel, reminderChannel } from './channel.ts';
import type { DueAlert } from './task-alert.queries.ts';

/** The user an alert goes to: a reminder goes to the assignee that the task has now. */
export const assigneeOf = ({ kind, user_id, assigned_user_id }: DueAlert): number | null =>
  kind === 'Assignment' ? user_id : assigned_user_id;

/** The channel an alert goes through: a reminder takes the one that the task asks for now. */
export const channelOf = ({ kind, channel, action_type }: DueAlert): Channel | undefined =>
  kind === 'Assignment' ? channel : reminderChannel(action_type);
