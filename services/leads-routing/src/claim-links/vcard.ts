import { type ContactPhones, extensionOf } from '@crm/delivery';

/** The fields that a vCard is written from. */
export interface Card extends ContactPhones {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
  readonly company: string | null;
}

/** A vCard 3.0 (RFC 2426), which old and new phones can import. */
export function vcard(card: Card): string {
  const [first, last] = [escaped(card.first_name), escaped(card.last_name)];
  const name = [first, last].filter(Boolean).join(' ') || 'New lead';
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:${last};${first};;;`,
    `FN:${name}`,
    ...property('ORG', card.company),
    ...property('EMAIL;TYPE=INTERNET', card.email),
    ...property('TEL;TYPE=CELL', card.mobile_phone),
    ...property('TEL;TYPE=HOME', dialable(card.home_phone, card.home_phone_e164)),
    ...property('TEL;TYPE=WORK', dialable(card.office_phone, card.office_phone_e164)),
    'END:VCARD',
  ];
  return lines
    .flatMap(folded)
    .map((line) => `${line}\r\n`)
    .join('');
}

/** A number in E.164, unless its extension would be lost; null if it is invalid. */
const dialable = (text: string | null, number: string | null): string | null =>
  number !== null && extensionOf(text) !== undefined ? text : number;

const property = (name: string, value: string | null) => (value ? [`${name}:${escaped(value)}`] : []);

const escaped = (value: string | null): string =>
  (value ?? '')
    .replaceAll(/[\\,;]/g, '\\$&')
    .replaceAll(/\r\n|[\n\r]/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');

const maxOctets = 75;

/** Folds a line that is too long: further lines begin with a space. Never splits a character. */
function folded(line: string): string[] {
  const lines = [''];
  for (const character of line) {
    const current = lines.at(-1) ?? '';
    if (Buffer.byteLength(current + character) > maxOctets) lines.push(` ${character}`);
    else lines[lines.length - 1] = current + character;
  }
  return lines;
}
