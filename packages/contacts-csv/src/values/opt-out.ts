import { optOutWord } from '@crm/contract';
import { checkInstant } from './moment.ts';
import type { Checked } from './value.ts';

/** A placeholder for a missing date. With two parts it could be a number, such as 0.0 for no. */
const noDay = /^0+(?<gap>[-/.])0+\k<gap>0+$/;

/**
 * `yes` if a cell opts somebody out, otherwise empty. An unknown word is an error, because it could be an opt-out. In a column
 * that asks who may get messages, yes and no are swapped; a status is neither.
 */
export function checkOptOut(
  text: string,
  today: string,
  asks: 'who may not' | 'who may' | 'status',
): Checked {
  const word = noDay.test(text) ? 'nothing' : optOutWord(text);
  if (word === 'nothing') return { value: '' };
  if (word === 'opted out') return { value: 'yes' };
  // A time: when it was said.
  const isYes = word === 'yes' || (word === undefined && 'value' in checkInstant(text, today));
  if (!isYes && word === undefined)
    return {
      error: `must be ${asks === 'status' ? 'a word such as subscribed or unsubscribed' : 'yes or no'}, but is "${text}"; correct it, or leave the column out`,
    };
  if (asks === 'status') return { error: `does not say who gets no messages with "${text}"; ${howToMap}` };
  return { value: isYes === (asks === 'who may not') ? 'yes' : '' };
}

const howToMap =
  'map the column to email_opt_in or text_opt_in if "yes" means that the contact gets messages, or to email_opt_out or text_opt_out if it means that it gets none';
