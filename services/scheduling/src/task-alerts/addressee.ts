import { type Channel, reminderChannel } from './channel.ts';
import type { DueAlert } from './task-alert.queries.ts';

/** The recipient of an alert: a reminder goes to the current assignee of the task. */
export const assigneeOf = ({ kind, user_id, assigned_user_id }: DueAlert): number | null =>
  kind === 'Assignment' ? user_id : assigned_user_id;

/** The channel of an alert: a reminder uses the current channel of the task. */
export const channelOf = ({ kind, channel, action_type }: DueAlert): Channel | undefined =>
  kind === 'Assignment' ? channel : reminderChannel(action_type);
