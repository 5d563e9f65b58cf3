import { choice } from '@crm/contract';

/** The types of a task in version 2.0 of the API, in the order of the numbers that version 2.1 gives the first eight. */
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

/** The action types that have a number in version 2.1, by that number; there, the others have no reminder and are 0. */
export const numberedActionTypes = actionTypes.slice(0, 8);

/** The action type for a number of version 2.1. A task whose type has that number already keeps its type. */
export function actionTypeFor(reminderType: number, current?: ActionType): ActionType {
  if (current !== undefined && reminderTypeOf(current) === reminderType) return current;
  return numberedActionTypes[reminderType] ?? 'None';
}

function reminderTypeOf(type: ActionType): number {
  return Math.max(0, numberedActionTypes.indexOf(type));
}
