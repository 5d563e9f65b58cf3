import { expect, it } from 'vitest';
import { demandsTls } from './demands-tls.ts';

it.each([
  ['smtp://user:secret@mail.example.com:587', true],
  ['smtp://user@mail.example.com', true],
  ['smtp://mail.example.com', false],
  ['smtp://mail.example.com?requireTLS=true', true],
  ['smtp://user:secret@127.0.0.1:2525', false],
  ['smtp://user:secret@localhost', false],
  ['smtp://user:secret@[::1]:2525', false],
  ['smtp://user:secret@127.0.0.1.example.com', true],
  ['smtp://user:secret@relay.internal?requireTLS=false', false],
])('encryption is a condition of sending to %s: %s', (url, expected) => {
  expect(demandsTls(url)).toBe(expected);
});
