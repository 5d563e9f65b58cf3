import { RuleRefused } from './rule-refused.ts';
import { isTimePart } from './time-of-day.ts';

const keys = new Set([
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'BYMONTH',
  'BYWEEKNO',
  'BYYEARDAY',
  'BYMONTHDAY',
  'BYDAY',
  'BYSETPOS',
  'WKST',
]);

export const maxLength = 200;

/** A text without a leading `RRULE:` and surrounding whitespace. */
export const bodyOf = (text: string): string => text.trim().replace(/^RRULE:/i, '');

/** The keys and raw values of a rule's text, in upper case: RFC 5545 ignores case in both. */
export function partsOf(text: string): Map<string, string> {
  const body = bodyOf(text);
  const property = /\b(DTSTART|DTEND|EXDATE|EXRULE|RDATE)\b/i.exec(body)?.[1];
  if (property) throw new RuleRefused(`must be a rule alone, without ${property.toUpperCase()}`);
  if (/[\r\n]/.test(body)) throw new RuleRefused('must be a single line with one rule');
  if (body.length > maxLength) throw new RuleRefused(`must have at most ${maxLength} characters`);
  // This also makes it safe to quote the text in a refusal.
  if (!/^[A-Za-z0-9=;,+-]+$/.test(body)) {
    throw new RuleRefused('must be KEY=VALUE parts of letters, digits and = ; , + -');
  }
  const parts = new Map<string, string>();
  for (const part of body.toUpperCase().split(';')) {
    const [key, value] = keyAndValue(part);
    if (parts.has(key)) throw new RuleRefused(`contains ${key} twice`);
    parts.set(key, value);
  }
  return parts;
}

function keyAndValue(part: string): [key: string, value: string] {
  const [key, value, ...more] = part.split('=');
  if (!key || !value || more.length > 0) throw new RuleRefused(`contains "${part}", which is not KEY=VALUE`);
  if (!keys.has(key) && !isTimePart(key)) throw new RuleRefused(`contains the unknown key ${key}`);
  return [key, value];
}
