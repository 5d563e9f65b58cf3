import { RuleRefused } from './rule-refused.ts';

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
const timesOfDay = new Set(['BYHOUR', 'BYMINUTE', 'BYSECOND']);

export const longestRule = 200;

/** What each key of a rule's text is given, unread. */
export function partsOf(text: string): Map<string, string> {
  if (text.length > longestRule) throw new RuleRefused(`must have at most ${longestRule} characters`);
  if (/[\r\n]/.test(text)) throw new RuleRefused('must be a single line');
  const body = text.startsWith('RRULE:') ? text.slice('RRULE:'.length) : text;
  // Also what makes it safe to repeat a part of the text in a refusal.
  if (!/^[A-Z0-9=;,+-]+$/.test(body)) {
    throw new RuleRefused('must be KEY=VALUE parts of capital letters, digits and = ; , + -');
  }
  const parts = new Map<string, string>();
  for (const part of body.split(';')) {
    const [key, value] = keyAndValue(part);
    if (parts.has(key)) throw new RuleRefused(`names ${key} twice`);
    parts.set(key, value);
  }
  return parts;
}

function keyAndValue(part: string): [key: string, value: string] {
  const [key, value, ...more] = part.split('=');
  if (!key || !value || more.length > 0) throw new RuleRefused(`holds "${part}", which is not KEY=VALUE`);
  if (timesOfDay.has(key))
    throw new RuleRefused(`must not name ${key}: the time of day is that of the start`);
  if (!keys.has(key)) throw new RuleRefused(`holds the unknown key ${key}`);
  return [key, value];
}
