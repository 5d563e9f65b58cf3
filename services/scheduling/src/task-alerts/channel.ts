import type { ActionType } from '../action-type.api.ts';

/** The channels through which an assignee is notified of a task. */
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

/** The channel for reminders of a task of this type; undefined if there are none. */
export const reminderChannel = (type: ActionType): Channel | undefined => reminderChannels[type];

/** The channel for notifying a new assignee, which happens for every type. */
export const assignmentChannel = (type: ActionType): Channel => reminderChannels[type] ?? 'Email';
