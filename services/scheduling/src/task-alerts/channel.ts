import type { ActionType } from '../tasks/action-type.api.ts';

/** By which an assignee is told of a task. */
export type Channel = 'Email' | 'Text' | 'Phone';

const reminding: Readonly<Partial<Record<ActionType, Channel>>> = {
  'Email Contact': 'Email',
  'Agent Task - Email Reminder': 'Email',
  'Call Contact': 'Phone',
  'Agent Task - Call Reminder': 'Phone',
  'Text Contact': 'Text',
  'Agent Task - Text Reminder': 'Text',
};

/** By which somebody is reminded of a task of this type; undefined where nobody is. */
export const reminderChannel = (type: ActionType): Channel | undefined => reminding[type];

/** Who is given a task is told in any case. */
export const assignmentChannel = (type: ActionType): Channel => reminding[type] ?? 'Email';
