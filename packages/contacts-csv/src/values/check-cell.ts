import { isProtected, protectCell, unprotectCell } from '../csv/cells.ts';
import { checkDate, isNoDate } from './date.ts';
import { checkEmail, isAddress } from './email.ts';
import { checkInstant } from './moment.ts';
import { checkNumber, checkZip } from './number.ts';
import { checkOptOut } from './opt-out.ts';
import { checkPhone } from './phone.ts';
import { checkTags } from './tags.ts';
import { type Checked, partsOf } from './value.ts';

/** How the value of a cell is checked. A `text` is only trimmed. */
export type Kind =
  | 'text'
  | 'email'
  | 'phone'
  | 'date'
  | 'instant'
  | 'number'
  | 'zip'
  | 'tags'
  | 'opt-out'
  | 'opt-in'
  | 'opt-status';

const kinds: Readonly<Record<string, Kind>> = {
  email: 'email',
  spouse_email: 'email',
  mobile_phone: 'phone',
  home_phone: 'phone',
  office_phone: 'phone',
  fax: 'phone',
  spouse_phone: 'phone',
  birthday: 'date',
  anniversary: 'date',
  spouse_birthday: 'date',
  created_at: 'instant',
  modified_at: 'instant',
  zip: 'zip',
  tags: 'tags',
  opt_out: 'opt-out',
  text_opt_out: 'opt-out',
  email_opt_out: 'opt-out',
  opt_in: 'opt-in',
  text_opt_in: 'opt-in',
  email_opt_in: 'opt-in',
  text_status: 'opt-status',
  email_status: 'opt-status',
};

export const kindOf = (field: string): Kind => kinds[field] ?? 'text';

/** The kinds of the values of custom fields. */
export const kindsOfCustomFields = {
  Text: 'text',
  Number: 'number',
  Date: 'date',
  'Dollar Amt': 'number',
} as const;

export type DataType = keyof typeof kindsOfCustomFields;

const checks: Readonly<Record<Kind, (text: string, today: string) => Checked>> = {
  text: (value) => ({ value }),
  email: checkEmail,
  phone: checkPhone,
  date: (text, today) => (isNoDate(text) ? { value: '' } : checkDate(text, today)),
  instant: (text, today) => (isNoDate(text) ? { value: '' } : checkInstant(text, today)),
  number: checkNumber,
  zip: checkZip,
  tags: checkTags,
  'opt-out': (text, today) => checkOptOut(text, today, 'who may not'),
  'opt-in': (text, today) => checkOptOut(text, today, 'who may'),
  'opt-status': (text, today) => checkOptOut(text, today, 'status'),
};

/** An address in single quotes, as Outlook exports it. An additional apostrophe means that the quotes are part of it. */
const quoted = /^('+)([^']+)'$/;

/**
 * The checked value of a cell. A leading apostrophe means the same as in a spreadsheet: the value is a text and is used as it is.
 */
export function checkCell(cell: string, kind: Kind, today: string): Checked {
  // These values are never stored as text, so the apostrophe is dropped.
  if (isOpt(kind)) return checkOpt(cell.replace(/^\s*'/, '').trim(), kind, today);
  if (isProtected(cell)) return { value: unprotectCell(cell) };
  const text = textIn(cell, kind);
  if (text === '') return { value: '' };
  const [, before = '', inside = ''] = (kind === 'email' && quoted.exec(text)) || [];
  if (inside !== '' && isAddress(inside))
    return before.length === 1 ? checkEmail(text) : { value: text.slice(2) };
  if (kind !== 'text' && text.startsWith("'")) return { value: text.slice(1) };
  const [first = '', ...more] = valuesIn(text, kind);
  const checked = checks[kind](first, today);
  return 'error' in checked || more.length === 0 ? checked : { ...checked, more };
}

/** Some programs write a text that consists of digits as a formula, so that a spreadsheet keeps its zeros. */
const asFormula = /^="([^"]*)"$/;

/** Programs that show pages leave marks without width around what is copied from there. */
const invisible = /^[\s\u200b-\u200f\u202a-\u202e\u2060]+|[\s\u200b-\u200f\u202a-\u202e\u2060]+$/g;

function textIn(cell: string, kind: Kind): string {
  const text = cell.trim().replace(asFormula, '$1').trim();
  return kind === 'text' || text.startsWith("'") ? text : text.replace(invisible, '');
}

type OptKind = 'opt-out' | 'opt-in' | 'opt-status';
const isOpt = (kind: Kind): kind is OptKind => kind.startsWith('opt-');

const checkOpt = (text: string, kind: OptKind, today: string): Checked =>
  text === '' ? { value: '' } : checks[kind](text, today);

/** Google Contacts puts all e-mail addresses, or all phones, with the same label into one cell. */
function valuesIn(text: string, kind: Kind): readonly string[] {
  if (kind !== 'email' && kind !== 'phone') return [text];
  return [...new Set(partsOf(text, ':::'))];
}

/** The cell from which exactly this value is read again. */
export function cellOf(value: string, kind: Kind, today: string): string {
  const cell = protectCell(value);
  if (cell !== value || value === '' || kind === 'text') return cell;
  const isReadFrom = (text: string) => {
    const read = checkCell(text, kind, today);
    return 'value' in read && read.value === value;
  };
  return [value, `'${value}`].find(isReadFrom) ?? `''${value}`;
}
