import { type Named, nameOf } from '@crm/delivery';
import type { Message } from '../communications/message-of.ts';
import type { Addressed } from './addressed.ts';

interface Call {
  readonly sender: Named;
  readonly recipient: Named;
  readonly about: Addressed['about'];
  readonly message: string;
}

/** The words that are read to the sender. The digits are separated, so that they are read one by one. */
export function callWords({ sender, recipient, about, message }: Call): string {
  const extension = about?.extension ? `, extension ${spelled(about.extension)}` : '';
  const number = `${spelled(about?.number ?? '')}${extension}`;
  const whom = `Hello ${nameOf(sender, 'there')}. Please call ${nameOf(recipient, 'a contact')} at ${number}.`;
  return [whom, message.replace(/\s+/g, ' ').trim()].filter(Boolean).join(' ');
}

const spelled = (number: string): string => number.replace(/\D/g, '').split('').join(' ');

/** What a user should know about a sent message, if anything. */
export function remarkOn({ unknown, empty }: Message): string | null {
  const remarks = [
    empty.length > 0 ? `There was no value for ${empty.join(', ')}.` : '',
    unknown.length > 0 ? `These are not merge fields: ${unknown.join(', ')}.` : '',
  ].filter(Boolean);
  return remarks.length > 0
    ? remarks
        .join(' ')
        .replace(/\p{C}+/gu, ' ')
        .slice(0, 500)
    : null;
}
