const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(', '));

const yes = wordsOf('yes, y, true, t, 1, -1, x, on, checked, ✓, ✔, ☑');
const no = wordsOf('no, n, false, f, 0, off, unchecked, never, ☐');

/** Words of other programs for a person who must not get messages, whatever the field asks. */
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

/**
 * In lower case, without apostrophes and a final full stop, and with one blank instead of hyphens, dashes, underscores and blanks
 * between words. Programs write the 0 and 1 of a column with missing values as 0.0 and 1.0.
 */
const plainWord = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/['\u2019]/g, '')
    .replace(/^dont\b/, 'do not')
    .replace(/(?<=\w)[\s_\u2010-\u2015-]+(?=\w)/g, ' ')
    .replace(/^(-?[01])[.,]0+$/, '$1')
    .replace(/\.$/, '');

/** What a word says about a person: yes or no to whatever its field asks, or in words; undefined if nobody can tell. */
export function optOutWord(text: string): 'yes' | 'no' | 'opted out' | 'nothing' | undefined {
  const word = plainWord(text);
  if (word === '' || nothing.has(word)) return 'nothing';
  if (optedOut.has(word)) return 'opted out';
  if (yes.has(word)) return 'yes';
  return no.has(word) ? 'no' : undefined;
}
