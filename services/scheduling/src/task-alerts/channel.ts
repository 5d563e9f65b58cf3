import type { ActionType } from '../action-type.api.ts';

/** The ways in which an assignee is notified of a task. */
export const channels = ['Email', 'Text', 'Phone'] as const;

export type Channel = (typeof channels)[number];

const reminderChannels: Readonly<Partial<Record<ActionType, Channel>>> = {
  'Email Contact': 'Email',
  'Agent Task - Email Reminder': 'Email',
  'Call Contact': 'Phone',
  'Agent Task - Call Reminder': 'Phone',
  'Text Contact': 'Text',
  'Agent Task - Text Reminder': 'Text',
};

/** The channel by which the assignee of a task of this type is reminded; undefined if there is no reminder. */
export const reminderChannel = (type: ActionType): Channel | undefined => reminderChannels[type];

/** The channel by which a new assignee is notified, which happens for every type. */
export const assignmentChannel = (type: ActionType): Channel => reminderChannels[type] ?? 'Email';
