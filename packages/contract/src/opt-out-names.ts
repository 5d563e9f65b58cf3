/** Lower case, without blanks, hyphens, dashes and underscores: First Name, first-name and FIRST_NAME are the same name. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[\s_\u2010-\u2015-]+/g, '');

const listOf = (text: string): readonly string[] => text.split(', ');

/** How names mention the channel. */
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
    'unsubscribed from #, unsubscribed from all #, unsubscribe from #, do not #, dont #, do not send #, dont send #, do not allow #, do not receive #, no #, # stop',
);
/** Filled with words such as Subscribed. Nobody knows whether yes is somebody who gets messages. */
const status = listOf(
  '# status, # subscription, # subscription status, # subscriber status, # marketing status',
);
/** About a single message. `Emails Bounced` counts them. */
const optOutOfOne = listOf('# blocked, # bounced');
const optIn = listOf(
  '# opt in, # opted in, opt in #, opted in #, opt into #, opted into #, # opt in status, # subscribed, subscribed to #, # consent, # consent status, # permission, # permission status, ' +
    '# allowed, accepts #, receive #, receives #, can #, may #, ok to #, allow #, allows #',
);

/** Names without a channel, or with their own word for it. Those of Mailchimp contain times. */
const others: Readonly<Record<string, readonly string[]>> = {
  email_opt_out: listOf(
    'unsubscribed, unsubscribe, unsub, clean time, marketing opt out, marketing opted out, opted out of marketing, ' +
      'newsletter opt out, newsletter unsubscribed',
  ),
  email_status: listOf('marketing status, subscription status, subscriber status, newsletter status'),
  email_opt_in: listOf(
    'subscribed, accepts marketing, marketing opt in, marketing consent, newsletter opt in',
  ),
  opt_out: listOf(
    'opt out, opted out, drip opt out, unsubscribed all, do not contact, dont contact, do not message, do not email/text, ' +
      'do not text/email, no contact, dnc, dnd, suppressed',
  ),
  opt_in: listOf('opt in, opted in, can contact, ok to contact, contact permission'),
};

const byName = new Map(
  Object.entries(others).flatMap(([field, names]) => names.map((name) => [plainName(name), field] as const)),
);
for (const [kind, words] of Object.entries(kinds)) {
  const forms = [
    ...optOut.map((form) => [form, `${kind}_opt_out`] as const),
    ...optIn.map((form) => [form, `${kind}_opt_in`] as const),
    ...status.map((form) => [form, `${kind}_status`] as const),
  ];
  for (const [form, field] of forms)
    for (const word of words) byName.set(plainName(form.replace('#', word)), field);
  for (const form of optOutOfOne)
    for (const word of words.filter((one) => !one.endsWith('s') || one === 'sms'))
      byName.set(plainName(form.replace('#', word)), `${kind}_opt_out`);
}

/** For one kind of newsletter, as HubSpot exports it: `Opted out of email: Open houses`. */
const ofOneKind = /^optedoutofemail:/;

/** A suffix of the name that describes its values. */
const answers = /[([](?:y\/n|yes\/no|t\/f|true\/false|1\/0|0\/1|date|time|utc)[)\]]/i;

/** Only the words of a name: `Is Unsubscribed? (Y/N)` becomes unsubscribed. */
const wordsIn = (name: string): string =>
  plainName(name.replace(answers, ''))
    .replace(/['\u2019?()]/g, '')
    .replace(/:$/, '')
    .replace(/^(?:is|has|primary|global)/, '');

/** The field of opt-outs, opt-ins or statuses that a name of a column or a field means; undefined for other names. */
export function optOutField(name: string): string | undefined {
  const words = wordsIn(name);
  return byName.get(words) ?? (ofOneKind.test(words) ? 'email_opt_out' : detailOf(words));
}

/** Says whose opt-out it is, or that the column says when it was, or whether. */
const details = /^(?:contact|date(?:of)?)|(?:date|time|status|at|on)$/g;

/** The field of `Opt-Out Date` or `Date Unsubscribed`. The date of anything else, such as a subscription, opts nobody out. */
function detailOf(words: string): string | undefined {
  const field = saysNo.test(words) ? byName.get(words.replace(details, '')) : undefined;
  return field?.endsWith('opt_out') ? field : undefined;
}

const saysNo = /unsub|(?<!ad)opt(?:ed|s)?out|(?<!to)donot|^dont|^doesno?t|^dn[cd]|dn[cd]$|suppress/;

/** Other words of refusing. Those of many messages, such as `Emails Bounced`, count them. */
const couldSayNo =
  /(?<!emails|texts|messages)(?:bounced?|blocked)$|^blocked|(?:black|block)list|^invalidemail|emailinvalid|(?<!can)spam|^stop|stopped$|^never(?:email|text|sms|contact$|message)|^exclude[sd]?(?:$|from)|no(?:marketing|newsletter)|^notinterested$/;

/** Words of agreeing, without those that only mention an address. */
const couldSayYes =
  /(?<!ad)opt(?:ed)?in(?!g)|subscri|consent|permission|newsletter|^(?:casl|tcpa|canspam|gdpr)|^(?:(?:email|text|sms)marketing|marketing(?:emails?|texts?|sms)|(?:mass|bulk)emails?)$|(?:emails?|texts?|texting|sms)(?:enabled|ok|okay|on)$|^(?:ok|okay|wants?)(?:to)?(?:emails?|texts?|sms)|(?:email|text|sms)(?!.*(?:confirm|verif|valid)).*status$/;

/** When, how and where somebody agreed. */
const ofAgreement =
  /^(?:date|time)|(?:date|time|timestamp|since|(?<!sh)ip|ipaddress|source|url|id|key|count|by|(?:in|ed|consent)(?:at|on))$/;

const ofCalls =
  /(?:calls?|fax(?:es)?)(?:date|time|registry|register|list|status|reason)?$|^(?:phone)?calls?(?:opt|consent|permission)/;

/**
 * What a name asks that means no field, but could mean that somebody gets no messages; undefined for other names. Calls need no
 * consent, and nothing is sent by fax.
 */
export function couldAsk(name: string): 'who may not' | 'who may' | undefined {
  const words = wordsIn(name);
  if (ofCalls.test(words)) return undefined;
  if (saysNo.test(words) || couldSayNo.test(words)) return 'who may not';
  if (couldSayYes.test(words)) return ofAgreement.test(words) ? undefined : 'who may';
  return undefined;
}
