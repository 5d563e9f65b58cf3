import { expect, it } from 'vitest';
import { leavePortsOut } from './forwarded-for.ts';

it.each([
  ['9.9.9.9', '9.9.9.9'],
  ['9.9.9.9:40000', '9.9.9.9'],
  ['9.9.9.9:40000, 10.0.0.5:443', '9.9.9.9, 10.0.0.5'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1],2001:db8::2', '2001:db8::1, 2001:db8::2'],
  ['1.1.1.1, unknown', ''],
  ['1.1.1.1, unknown, 9.9.9.9:1', '9.9.9.9'],
  ['unknown', ''],
  ['', ''],
  ['1.1.1.1:a', ''],
])('of X-Forwarded-For "%s" are the addresses "%s"', (sent, expected) => {
  const headers = { 'x-forwarded-for': sent };
  leavePortsOut(headers);
  expect(headers['x-forwarded-for']).toBe(expected);
});
