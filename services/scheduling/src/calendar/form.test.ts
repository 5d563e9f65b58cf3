import { expect, it } from 'vitest';
import { textValue } from './lines.ts';
import { timeZoneComponent } from './time-zone.ts';

it('a text has a backslash before characters that would otherwise separate values', () => {
  expect(textValue('a, b; c \\ d\ne')).toBe('a\\, b\\; c \\\\ d\\ne');
});

it('a clock change is given in the local time that was in effect before it', () => {
  const { parts } = timeZoneComponent('America/New_York', 2026, 2026);
  const changes = parts?.slice(1).map(({ name, lines }) => [name, ...lines.map(([, value]) => value)]);
  expect(changes).toEqual([
    ['DAYLIGHT', '20260308T020000', '-0500', '-0400'],
    ['STANDARD', '20261101T020000', '-0400', '-0500'],
  ]);
});
