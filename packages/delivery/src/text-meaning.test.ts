import fc from 'fast-check';
import { expect, it } from 'vitest';
import { meaningOf } from './text-meaning.ts';

const texts = {
  stop: [
    'STOP',
    'Stop.',
    ' "stop!" ',
    '\nSTOP\r\n',
    '\u201cStop\u201d',
    'STOPALL',
    'Unsubscribe',
    'cancel',
    'END',
    'quit…',
    'OptOut',
    'Opt out',
    'OPT-OUT.',
    'opt\u2010out',
    'STOP ALL',
    'Revoke',
    'REMOVE',
    'ARRET',
    'arr\u00eat',
    'ARRE\u0302T',
    'Stop\n\nSent from my iPhone',
    'Opt out.\r\nSent from my Galaxy',
    'Stop!\nAnd do not text me again.',
  ],
  start: ['START', 'start', 'Unstop!', 'Start\nSent from my iPhone'],
  help: ['HELP', 'help?', 'Info'],
  pause: [
    'stop texting me',
    'Please STOP texting me!!',
    'take me off your list',
    'Remove me from this mailing list, please.',
    'don\u2019t text me again',
    'Do not contact me',
    'no more texts',
    'Leave me alone.',
    'lose my number',
    'please stop',
    'Stop it.',
    'quit sending me messages',
    'unsubscribe me',
    'STOP STOP',
    'Opt out please',
    'Please opt-out',
    'Unsubscribe me\nSent from my iPhone',
  ],
  other: [
    ...['', '!', 'YES', 'Stopp', 'the end', 'S T O P', 'no', 'restart', 'ST.OP', 'constructor', '__proto__'],
    'Does the bus stop there?',
    'Is it still on your list?',
    'Can you help me?',
    'I want to cancel the showing on Friday',
    'Could you stop by at five and call me?',
    'The bus stops there, text me then',
    "Don't call before nine",
    'Take me to the house, please',
    'Please send me the list',
    'When does the lease end?',
    'The agent will revoke it',
    'Can we remove the fence?',
    'Remove the fence',
    'Can we opt out of the HOA?',
    'Is there a stop all night?',
    'We stop\nSent from my iPhone',
    'See you at five\nStop',
  ],
} as const;

it.each(Object.entries(texts).flatMap(([meaning, all]) => all.map((text) => [text, meaning])))(
  '%j means %s',
  (text, meaning) => {
    expect(meaningOf(text)).toBe(meaning);
  },
);

it('the meaning of a text does not depend on case or on surrounding punctuation', () => {
  const around = fc.stringMatching(/^[\s.,!?"'()…-]{0,4}$/);
  const known = Object.entries(texts).flatMap(([meaning, all]) => all.map((text) => ({ meaning, text })));
  fc.assert(
    fc.property(
      around,
      fc.constantFrom(...known),
      around,
      fc.boolean(),
      (before, { text, meaning }, after, isUpper) => {
        expect(meaningOf(before + (isUpper ? text.toUpperCase() : text) + after)).toBe(meaning);
      },
    ),
  );
});

it('the meaning of a text is found quickly, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 1600 }), (text) => {
      expect(typeof meaningOf(text)).toBe('string');
    }),
  );
});
