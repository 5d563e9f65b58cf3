import {
  choice,
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
import { actionType } from './action-type.api.ts';

export const taskStatus = choice('incomplete', 'complete', 'deleted');

/** The texts of a task have the same limits in both versions. */
export const taskText = text(2000);

export const TaskView = z.object({
  id,
  owner_user_id: id.describe('Who submitted it'),
  contact_id: reference.describe('One that the caller may see'),
  action_type: actionType,
  reminder_type: actionType.describe('The same as action_type, under its older name'),
  assigned_user_id: reference.describe('The caller, or someone the caller works with'),
  due_at: localTime
    .nullable()
    .describe('YYYY-MM-DD HH:MM:SS on the wall in `timezone`; with a zone, that moment'),
  due_at_utc: instant.nullable(),
  timezone: timeZone.describe('IANA name; the caller’s unless it is sent'),
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
  due_end_at: z.null(),
  is_public: flag,
  category: z.null(),
  folder: z.null(),
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
    summary: 'List tasks that one owns or is assigned to',
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
    summary: 'Add a task; it needs an action_type, or a reminder_type in its place',
    input: draft.partial().extend(draft.pick(required).shape),
    output: TaskView,
  }),
  patch: operation({
    rest: 'PATCH /tasks/:id',
    summary: 'Change a task; of a recurring task this one occurrence',
    input: record(TaskView, { id, ...draft.partial().shape }),
    output: TaskView,
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /tasks/:id',
    summary: 'Remove a task; of a recurring task this one occurrence. Only its owner may',
    input: record(TaskView, { id }),
    output: TaskView,
    refuses: [notFound, forbidden],
  }),
};
