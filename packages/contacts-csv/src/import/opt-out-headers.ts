import { plain } from './synonyms.ts';

const listOf = (text: string): readonly string[] => text.split(', ');

/** How headers name the messages that a column is about. */
const kinds = {
  email: listOf('email, emails, email marketing, marketing email, marketing emails, bulk email'),
  text: listOf('text, texts, texting, text message, text messages, sms, sms marketing'),
} as const;

/** `#` is the kind of messages: Email Opt Out, Opted out of SMS, Do Not Text, Unsubscribed from Emails. */
const optOut = listOf(
  '# opt out, # opt outs, # opted out, opt out #, opted out #, opt out of #, opted out of #, has opted out of #, opt out from #, ' +
    '# opt out date, # opt out time, # opted out at, # unsubscribe, # unsubscribed, # unsubscribed at, unsubscribed #, ' +
    'unsubscribed from #, unsubscribed from all #, unsubscribe from #, do not #, dont #, no #, # stop, ' +
    '# status, # subscription, # subscription status, # marketing status',
);
/** Of one message. `Emails Bounced` counts them. */
const optOutOfOne = listOf('# blocked, # bounced');
const optIn = listOf(
  '# opt in, # opted in, opt in #, opted in #, opt into #, opted into #, # subscribed, subscribed to #, # consent, # permission, ' +
    '# allowed, accepts #, receives #, can #, may #, ok to #, allow #, allows #',
);

/** What names no kind of messages, or names it by a word of its own. Mailchimp has times. */
const others: Readonly<Record<string, readonly string[]>> = {
  email_opt_out: listOf(
    'unsubscribed, unsubscribe, unsubscribed at, unsubscribe date, unsubscribed on, unsub time, clean time, marketing status, ' +
      'subscription status, subscriber status, marketing opt out, marketing opted out, opted out of marketing, newsletter opt out, ' +
      'newsletter status',
  ),
  email_opt_in: listOf(
    'subscribed, accepts marketing, marketing opt in, marketing consent, newsletter opt in',
  ),
  opt_out: listOf(
    'opt out, opted out, has opted out, do not contact, dont contact, do not message, no contact',
  ),
  opt_in: listOf('opt in, opted in, can contact, ok to contact, contact permission'),
};

const byHeader = new Map(
  Object.entries(others).flatMap(([field, names]) => names.map((name) => [plain(name), field] as const)),
);
for (const [kind, words] of Object.entries(kinds)) {
  const forms = [
    ...optOut.map((form) => [form, `${kind}_opt_out`] as const),
    ...optIn.map((form) => [form, `${kind}_opt_in`] as const),
  ];
  for (const [form, field] of forms)
    for (const word of words) byHeader.set(plain(form.replace('#', word)), field);
  for (const form of optOutOfOne)
    for (const word of words.filter((one) => !one.endsWith('s') || one === 'sms'))
      byHeader.set(plain(form.replace('#', word)), `${kind}_opt_out`);
}

/** Of one kind of newsletter, as HubSpot exports it: `Opted out of email: Open houses`. */
const ofOneKind = /^optedoutofemail:/;

/** The field of a header that tells who gets no messages. */
export function optOutHeader(header: string): string | undefined {
  const key = plain(header).replace(/['\u2019]/g, '');
  return byHeader.get(key) ?? (ofOneKind.test(key) ? 'email_opt_out' : undefined);
}
