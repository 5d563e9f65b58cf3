import {
  choice,
  find,
  flag,
  forbidden,
  id,
  ignoring,
  instant,
  integerFrom,
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
import { numberedActionTypes } from '../action-type.api.ts';
import { lastAlert, taskStatus, taskText } from '../tasks/task.api.ts';

const lastReminderType = numberedActionTypes.length - 1;
const reminderType = integerFrom(0, lastReminderType);

/** A scheduled event: the parent of one task, or of the occurrences of a recurring one. */
export const ScheduledEventView = z.object({
  scheduled_event_id: id,
  crm_user_id: id,
  single_due_at: instant.nullable().describe('When a single task was first due, or a recurring one starts'),
  action: choice('tasks', 'campaign_actions'),
  type: choice('recurrent', 'single'),
  created_at: instant,
  updated_at: instant,
});

export const ScheduledTaskView = z.object({
  id,
  scheduled_event_id: id.describe('The scheduled event that it is an occurrence of'),
  event: ScheduledEventView,
  crm_user_id: id.describe('The user who created it'),
  owner_user_id: id.describe('The same as crm_user_id'),
  contact_id: reference.describe('A contact that the caller may see'),
  assigned_user_id: id.nullable().describe('The caller, or a user whom the caller works with'),
  due_at: localTime
    .nullable()
    .describe(
      'YYYY-MM-DDTHH:MM:SS, local time in `timezone`; a value with a zone is that moment; in the years 1970 to 2100',
    ),
  due_at_utc: instant.nullable(),
  timezone: timeZone.describe("IANA name (default: the caller's)"),
  recurrence_rule: text(250).nullable().describe('RFC 5545, such as FREQ=WEEKLY;BYDAY=MO'),
  is_all_day: flag,
  notify_assignee: flag.describe('Whether the assignee is notified of the task and reminded'),
  reminder_type: reminderType.describe('0 none, 1 e-mail, 2 call, 3 text, 4 to 7 for agent tasks'),
  category_id: reference.describe("One of the caller's task categories, or one that everyone has"),
  description: taskText,
  status: taskStatus,
  notes: taskText.nullable(),
  created_at: instant,
  modified_at: instant,
  ...lastAlert,
});

const required = z.object({
  assigned_user_id: id,
  due_at: localTime,
  description: taskText,
  status: taskStatus,
});

const optional = ScheduledTaskView.pick({
  contact_id: true,
  timezone: true,
  recurrence_rule: true,
  is_all_day: true,
  notify_assignee: true,
  reminder_type: true,
  category_id: true,
  notes: true,
}).partial();

const listed = { error: `must be a comma-delimited list of numbers from 0 to ${lastReminderType}` };

/** The numbers of a comma-delimited list; the values of a repeated parameter are joined. */
const reminderTypes = z.union([z.string(), z.array(z.string())], listed).transform((sent, ctx) => {
  const parts = [sent].flat().join(',').split(',');
  const read = z
    .array(reminderType)
    .safeParse(parts.map((part) => part.trim()).filter((part) => part !== ''));
  if (read.success) return read.data;
  ctx.addIssue({ code: 'custom', message: listed.error });
  return z.NEVER;
});

const one = 'only this task';
const updateType = integerFrom(1, 3).describe(
  `1 ${one} (default), 2 this and the following ones, 3 only the status`,
);
const allButStatus = Object.keys({ ...required.shape, ...optional.shape }).filter(
  (name) => name !== 'status',
);
const deleteType = integerFrom(1, 3).describe(`1 ${one} (default), 2 this and the following ones, 3 all`);

export const scheduledTaskApi = {
  find: operation({
    rest: 'GET /api/v1/scheduled/tasks',
    summary:
      'List the tasks that the caller owns or is assigned to; each occurrence of a recurring task is listed',
    input: find(ScheduledTaskView, {
      own: { reminder_types: reminderTypes.optional().describe('Reminder types, joined by commas') },
    }),
    output: pageOf(ScheduledTaskView),
  }),
  get: operation({
    rest: 'GET /api/v1/scheduled/tasks/:id',
    summary: 'Read a task',
    input: record(ScheduledTaskView, { id }),
    output: ScheduledTaskView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /api/v1/scheduled/tasks',
    summary: 'Add a task; with a recurrence_rule, a recurring one, whose first occurrence is returned',
    input: required.extend(optional.shape),
    output: ScheduledTaskView,
  }),
  patch: operation({
    rest: 'PATCH /api/v1/scheduled/tasks/:id',
    summary:
      'Replace all values of a task; a value that is not sent gets its default. With update_type 3, only the status changes',
    details:
      'The response is the whole record. With update_type 2, an assignee must be the assignee of all following open tasks and keep the recurrence_rule; only the owner may remove any of them.',
    example: {
      assigned_user_id: 4201,
      due_at: '2026-03-14T09:30:00',
      description: 'Call about the viewing',
      status: 'incomplete',
    },
    input: ignoring(
      record(ScheduledTaskView, {
        id,
        ...required.partial().shape,
        ...optional.shape,
        update_type: updateType.optional(),
      }),
      ({ update_type }) => (String(update_type) === '3' ? allButStatus : []),
    ),
    output: ScheduledTaskView,
    query: ['update_type'],
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /api/v1/scheduled/tasks/:id',
    summary: 'Remove a task, or several occurrences of a recurring one (owner only)',
    input: record(ScheduledTaskView, { id, delete_type: deleteType.optional() }),
    output: ScheduledTaskView,
    query: ['delete_type'],
    refuses: [notFound, forbidden],
  }),
};
