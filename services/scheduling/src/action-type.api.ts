import { choice } from '@crm/contract';

/** The types of a task in version 2.0 of the API. The first eight are in the order of their numbers in version 2.1. */
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

/** The action types with a number in version 2.1, by that number; the others have no reminder and are 0 there. */
export const numberedActionTypes = actionTypes.slice(0, 8);

/** The action type for a number of version 2.1. A task whose type already has that number keeps its type. */
export function actionTypeFor(reminderType: number, current?: ActionType): ActionType {
  if (current !== undefined && reminderTypeOf(current) === reminderType) return current;
  return numberedActionTypes[reminderType] ?? 'None';
}

function reminderTypeOf(type: ActionType): number {
  return Math.max(0, numberedActionTypes.indexOf(type));
}
