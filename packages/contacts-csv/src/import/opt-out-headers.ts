import { plain } from './synonyms.ts';

const listOf = (text: string): readonly string[] => text.split(', ');

/** How headers name the channel of a column. */
const kinds = {
  email: listOf(
    'email, emails, email marketing, marketing email, marketing emails, bulk email, bulk emails, mass email, mass emails',
  ),
  text: listOf('text, texts, texting, text message, text messages, sms, sms marketing'),
} as const;

/** `#` is the channel: Email Opt Out, Opted out of SMS, Do Not Text, Unsubscribed from Emails. */
const optOut = listOf(
  '# opt out, # opt outs, # opted out, opt out #, opted out #, opt out of #, opted out of #, opt out from #, ' +
    '# unsub, # unsubscribe, # unsubscribed, unsubscribed #, # do not contact, # dnc, # dnd, # suppressed, ' +
    'unsubscribed from #, unsubscribed from all #, unsubscribe from #, do not #, dont #, do not send #, dont send #, do not allow #, do not receive #, no #, # stop, ' +
    '# status, # subscription, # subscription status, # subscriber status, # marketing status',
);
/** About a single message. `Emails Bounced` counts them. */
const optOutOfOne = listOf('# blocked, # bounced');
const optIn = listOf(
  '# opt in, # opted in, opt in #, opted in #, opt into #, opted into #, # opt in status, # subscribed, subscribed to #, # consent, # consent status, # permission, # permission status, ' +
    '# allowed, accepts #, receive #, receives #, can #, may #, ok to #, allow #, allows #',
);

/** Headers without a channel, or with their own word for it. Those of Mailchimp contain times. */
const others: Readonly<Record<string, readonly string[]>> = {
  email_opt_out: listOf(
    'unsubscribed, unsubscribe, unsub, clean time, marketing status, ' +
      'subscription status, subscriber status, marketing opt out, marketing opted out, opted out of marketing, newsletter opt out, ' +
      'newsletter unsubscribed, newsletter status',
  ),
  email_opt_in: listOf(
    'subscribed, accepts marketing, marketing opt in, marketing consent, newsletter opt in',
  ),
  opt_out: listOf(
    'opt out, opted out, drip opt out, unsubscribed all, do not contact, dont contact, do not message, do not email/text, ' +
      'do not text/email, no contact, dnc, dnd, suppressed',
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

/** For one kind of newsletter, as HubSpot exports it: `Opted out of email: Open houses`. */
const ofOneKind = /^optedoutofemail:/;

/** A suffix of the header that describes its values. */
const answers = /[([](?:y\/n|yes\/no|t\/f|true\/false|1\/0|0\/1|date|time|utc)[)\]]/i;

/** Only the words of a header: `Is Unsubscribed? (Y/N)` becomes unsubscribed. */
const wordsIn = (header: string): string =>
  plain(header.replace(answers, ''))
    .replace(/['\u2019?()]/g, '')
    .replace(/:$/, '')
    .replace(/^(?:is|has|primary|global)/, '');

/** The opt-out field of a header; undefined for other headers. */
export function optOutHeader(header: string): string | undefined {
  const words = wordsIn(header);
  return byHeader.get(words) ?? (ofOneKind.test(words) ? 'email_opt_out' : detailOf(words));
}

/** Says whose opt-out it is, or that the column says when it was, or whether. */
const details = /^(?:contact|date(?:of)?)|(?:date|time|status|at|on)$/g;

/** The field of `Opt-Out Date` or `Date Unsubscribed`. The date of anything else, such as a subscription, opts nobody out. */
function detailOf(words: string): string | undefined {
  const field = saysNo.test(words) ? byHeader.get(words.replace(details, '')) : undefined;
  return field?.endsWith('opt_out') ? field : undefined;
}

const saysNo = /unsub|opt(?:ed)?out|(?<!to)donot|^dont|^dn[cd]|dn[cd]$|suppress/;

/** Whether an unknown header could mean that somebody gets no messages. Calls need no consent, and nothing is sent by fax. */
export function couldOptOut(name: string): boolean {
  const words = wordsIn(name);
  return (saysNo.test(words) || /(?<!ad)opted/.test(words)) && !/(?:calls?|fax(?:es)?)$/.test(words);
}
