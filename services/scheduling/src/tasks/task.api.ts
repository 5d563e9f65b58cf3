import {
  choice,
  emptyAsNull,
  find,
  flag,
  forbidden,
  id,
  instant,
  localTime,
  notFound,
  operation,
  pageOf,
  record,
  reference,
  text,
  timeZone,
} from '@crm/contract';
import { z } from 'zod';
import { actionType } from '../action-type.api.ts';

export const taskStatus = choice('incomplete', 'complete', 'deleted');
export type TaskStatus = z.output<typeof taskStatus>;

/** The texts of a task have the same limits in both versions. */
export const taskText = text(2000);

/** The outcome of the last alert of a task, in both versions. */
export const lastAlert = {
  alert_state: choice('Sent', 'Waiting', 'Unknown', 'Failed', 'Dropped')
    .nullable()
    .describe('The outcome of the last alert to the assignee; null if there is none yet'),
  alert_reason: text(500)
    .nullable()
    .describe('Why the alert was not sent, or was sent by e-mail instead of to a phone'),
};

/**
 * The years in which a task may be due: any other is a typing error. A recurring task that starts long ago immediately has
 * hundreds of overdue occurrences.
 */
export const dueYears = { first: 1970, last: 2100 } as const;

export const TaskView = z.object({
  id,
  owner_user_id: id.describe('The user who created it'),
  contact_id: reference.describe('A contact that the caller may see'),
  action_type: actionType,
  reminder_type: actionType.describe('The older name of action_type'),
  assigned_user_id: reference.describe('The caller, or a user whom the caller works with'),
  // Not date-time-local, whose values have a T.
  due_at: emptyAsNull(localTime.meta({ format: 'local-date-time' })).describe(
    'YYYY-MM-DD HH:MM:SS, local time in `timezone`; a value with a zone is that moment; in the years 1970 to 2100',
  ),
  due_at_utc: instant.nullable(),
  timezone: timeZone.describe("IANA name (default: the caller's)"),
  description: taskText,
  status: taskStatus,
  notes: taskText.nullable(),
  created_at: instant,
  modified_at: instant,
  campaign_contact_id: id.nullable(),
  completed_at: instant.nullable(),
  completing_user_id: id.nullable(),
  is_all_day: flag,
  is_important: flag,
  due_end_at: z.null().meta({ format: 'date-time' }),
  is_public: flag,
  category: z.null(),
  folder: z.null(),
  ...lastAlert,
});

const required = { description: true, status: true } as const;

const draft = TaskView.pick({
  ...required,
  contact_id: true,
  action_type: true,
  reminder_type: true,
  assigned_user_id: true,
  due_at: true,
  timezone: true,
  notes: true,
});

export const taskApi = {
  find: operation({
    rest: 'GET /tasks',
    summary: 'List the tasks that the caller owns or is assigned to',
    input: find(TaskView),
    output: pageOf(TaskView),
  }),
  get: operation({
    rest: 'GET /tasks/:id',
    summary: 'Read a task',
    input: record(TaskView, { id }),
    output: TaskView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /tasks',
    summary: 'Add a task; either action_type or reminder_type is required',
    input: draft.partial().extend(draft.pick(required).shape),
    output: TaskView,
  }),
  patch: operation({
    rest: 'PATCH /tasks/:id',
    summary: 'Change a task; of a recurring task, only this occurrence',
    input: record(TaskView, { id, ...draft.partial().shape }),
    output: TaskView,
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /tasks/:id',
    summary: 'Remove a task; of a recurring task, only this occurrence (owner only)',
    input: record(TaskView, { id }),
    output: TaskView,
    refuses: [notFound, forbidden],
  }),
};
