import { choice } from '@crm/contract';

/** How tasks 2.0 say what a task is, in the order of the numbers by which tasks 2.1 say the first eight. */
const actionTypes = [
  'None',
  'Email Contact',
  'Call Contact',
  'Text Contact',
  'Agent Task - Email Reminder',
  'Agent Task - Call Reminder',
  'Agent Task - Text Reminder',
  'Agent Task - No Reminder',
  'BombBomb Video Email',
  'Direct Mail: Letter',
  'Direct Mail: Postcard',
  'Agent Task - Direct Mail: Letter (Manual)',
  'Agent Task - Direct Mail: Postcard (Manual)',
] as const;

export type ActionType = (typeof actionTypes)[number];
export const actionType = choice(...actionTypes);

/** The action types that have a number in tasks 2.1, by that number; the others remind of nothing there and are 0. */
export const numberedActionTypes = actionTypes.slice(0, 8);

/** What a task becomes by a number of tasks 2.1. One that has the number already stays what it is. */
export function actionTypeFor(reminderType: number, current?: ActionType): ActionType {
  if (current !== undefined && reminderTypeOf(current) === reminderType) return current;
  return numberedActionTypes[reminderType] ?? 'None';
}

function reminderTypeOf(type: ActionType): number {
  return Math.max(0, numberedActionTypes.indexOf(type));
}
