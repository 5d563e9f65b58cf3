/** What an incoming text asks for, as far as its words alone can tell. */
export const textMeanings = ['stop', 'start', 'help', 'pause', 'other'] as const;

export type TextMeaning = (typeof textMeanings)[number];

/**
 * The words that carriers understand, each as the whole text or as its first line, below which a phone may add its owner's name:
 * those of Twilio, of 47 CFR 64.1200(a)(10), and of carriers in the United States and Canada. Without `td`, which is a bank.
 */
const words: Readonly<Record<string, TextMeaning>> = {
  stop: 'stop',
  stopall: 'stop',
  'stop all': 'stop',
  unsubscribe: 'stop',
  cancel: 'stop',
  end: 'stop',
  quit: 'stop',
  optout: 'stop',
  'opt out': 'stop',
  revoke: 'stop',
  remove: 'stop',
  arret: 'stop',
  start: 'start',
  unstop: 'start',
  help: 'help',
  info: 'help',
};

const contacting = '(?:text|messag|contact|call|writ|send|bother|spamm|harass)';
const list = '(?:list|texts|messages|database|system)';

/**
 * Sentences that clearly ask to be left alone. Each expects the words where they cannot mean something else: a text about the
 * house on the list or the bus that stops there does not match.
 */
const leaveAlone = [
  new RegExp(
    `\\b(?:stop|quit) +(?:(?:all|the|these|those|your|with|sending|making) +){0,2}(?:${contacting}ing|texts|messages|calls)\\b`,
  ),
  new RegExp(
    `\\b(?:do not|don't|dont|never) +(?:ever +)?${contacting}e?s?(?:age)? +(?:(?:to|with) +)?(?:me|us)\\b`,
  ),
  /\bno more +(?:\w+ +)?(?:text|message|call)s?\b/,
  new RegExp(
    `\\b(?:take|remove|get) +(?:me|us|my (?:number|name)) +(?:off|from|out of)\\b.{0,20}\\b${list}\\b`,
  ),
  /\b(?:remove|delete|lose|forget) +my (?:phone )?number\b/,
  /\bleave (?:me|us) alone\b/,
  /\b(?:unsubscribe|remove|opt) +(?:me|us)\b(?: +(?:out|please|now))?$/,
  /^(?:please +)?(?:stop|unsubscribe|opt out)(?: +(?:it|this|now|please|that|stop))*$/,
];

/** Ignores case, surrounding punctuation, hyphens and diacritics. */
export function meaningOf(text: string): TextMeaning {
  const whole = plain(text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase());
  const firstLine = plain(whole.split(/[\n\r]/, 1).join());
  const parts = [whole, firstLine].map((part) => part.replaceAll(/[\s,.;:!?\u2010-\u2015-]+/g, ' '));
  const word = parts.find((part) => Object.hasOwn(words, part));
  if (word !== undefined) return words[word] ?? 'other';
  return parts.some((part) => leaveAlone.some((sentence) => sentence.test(part))) ? 'pause' : 'other';
}

const plain = (text: string) =>
  text.replaceAll(/[\u2018\u2019]/g, "'").replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '');
