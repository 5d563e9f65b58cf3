import { checkInstant } from './moment.ts';
import type { Checked } from './value.ts';

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(', '));

const yes = wordsOf('yes, y, true, t, 1, -1, x, on, checked, ✓, ✔, ☑');
const no = wordsOf('no, n, false, f, 0, off, unchecked, never, ☐');

/** Words of other programs for a person who must not get messages, whatever the column asks. */
const optedOut = wordsOf(
  'opted out, opt out, optout, out, unsubscribed, unsubscribe, unsub, not subscribed, non subscribed, nonsubscribed, ' +
    'not opted in, cleaned, bounced, bounce, hard bounce, hard bounced, undeliverable, invalid, spam, marked as spam, ' +
    'abuse, abuse report, blocked, suppressed, archived, stop, stopped, revoked, withdrawn, ' +
    'denied, declined, refused, dnc, do not contact, do not email, do not text, do not sms, do not message, do not mail, ' +
    'do not send, do not allow, no contact, no email, no emails, no text, no texts, no sms',
);

/** Their words for anybody else, which are not a consent that could be stored. */
const nothing = wordsOf(
  'subscribed, subscriber, subscribe, not unsubscribed, opted in, opt in, optin, single opt in, double opt in, in, not opted out, active, ' +
    'inactive, pending, risky, catch all, soft bounce, soft bounced, allowed, allow, ok, ' +
    'okay, confirmed, consented, granted, accepted, valid, verified, unverified, deliverable, express, implied, not sent, not set, unknown, none, null, n/a, na, -',
);

/** A placeholder for a missing date. With two parts it could be a number, such as 0.0 for no. */
const noDay = /^0+(?<gap>[-/.])0+\k<gap>0+$/;

/**
 * In lower case, without apostrophes and a final full stop, and with one blank instead of hyphens, dashes, underscores and blanks
 * between words. Programs write the 0 and 1 of a column with missing values as 0.0 and 1.0.
 */
const plainValue = (text: string): string =>
  text
    .toLowerCase()
    .replace(/['\u2019]/g, '')
    .replace(/^dont\b/, 'do not')
    .replace(/(?<=\w)[\s_\u2010-\u2015-]+(?=\w)/g, ' ')
    .replace(/^(-?[01])[.,]0+$/, '$1')
    .replace(/\.$/, '');

/**
 * `yes` if a cell opts somebody out, otherwise empty. An unknown word is an error, because it could be an opt-out. In a column
 * that asks who may get messages, yes and no are swapped.
 */
export function checkOptOut(text: string, today: string, asks: 'who may not' | 'who may'): Checked {
  const word = plainValue(text);
  if (noDay.test(text) || nothing.has(word)) return { value: '' };
  // A time: when it was said.
  const isYes = yes.has(word) || 'value' in checkInstant(text, today);
  const isNo = no.has(word);
  const [out, other] = asks === 'who may not' ? [isYes, isNo] : [isNo, isYes];
  if (out || optedOut.has(word)) return { value: 'yes' };
  return other
    ? { value: '' }
    : { error: `must be yes or no, but is "${text}"; correct it, or leave the column out` };
}
