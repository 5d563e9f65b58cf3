import type { Message } from '../communications/message-of.ts';
import { type Named, nameOf } from '../names.ts';

interface Call {
  readonly sender: Named;
  readonly recipient: Named;
  /** In E.164. */
  readonly number: string;
  readonly message: string;
}

/** What is read to the sender. The digits are separated, so that they are read one by one. */
export function callWords({ sender, recipient, number, message }: Call): string {
  const digits = number.replace(/\D/g, '').split('').join(' ');
  const whom = `Hello ${nameOf(sender, 'there')}. Please call ${nameOf(recipient, 'a contact')} at ${digits}.`;
  return [whom, message.replace(/\s+/g, ' ').trim()].filter(Boolean).join(' ');
}

/** What a user should know about a message that was sent, if anything. */
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
