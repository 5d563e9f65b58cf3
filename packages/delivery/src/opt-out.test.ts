import { expect, it } from 'vitest';
import { optOut } from './opt-out.ts';

it.each([
  ...[
    'STOP',
    'stop',
    'Stop.',
    ' "stop!" ',
    '\nSTOP\r\n',
    '“Stop”',
    'STOPALL',
    'Unsubscribe',
    'cancel',
    'END',
    'quit…',
  ].map((text) => [text, 'stop'] as const),
  ...['START', 'start', 'Unstop!'].map((text) => [text, 'start'] as const),
  ...[
    '',
    '!',
    'YES',
    'yes',
    'stop it',
    'please stop',
    'Stopp',
    'the end',
    'S T O P',
    'no',
    'restart',
    'ST.OP',
  ].map((text) => [text, undefined] as const),
])('%j asks to %s', (text, wish) => {
  expect(optOut(text)).toBe(wish);
});
