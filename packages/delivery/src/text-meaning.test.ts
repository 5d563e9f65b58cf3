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
  ],
  start: ['START', 'start', 'Unstop!'],
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
  ],
} as const;

it.each(Object.entries(texts).flatMap(([meaning, all]) => all.map((text) => [text, meaning])))(
  '%j means %s',
  (text, meaning) => {
    expect(meaningOf(text)).toBe(meaning);
  },
);

it('the meaning of a text is the same in any case and with any punctuation around it', () => {
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
