import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { mailUrl } from '@crm/local-carriers';
import { expect, it, onTestFinished } from 'vitest';
import { providers } from '../test/providers.ts';
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
])('encryption is required to send to %s: %s', (url, expected) => {
  expect(demandsTls(url)).toBe(expected);
});

it('encryption is not required to send to the local carriers in another container, which do not support it', () => {
  expect(demandsTls(mailUrl({ host: 'carriers', port: 1025, authToken: 'x' }))).toBe(false);
});

it('neither a password nor an e-mail is sent to a server without encryption', async () => {
  let said = '';
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('220 here\r\n');
    socket.on('data', (data) => {
      said += data;
      socket.write(/^EHLO/.test(data.toString()) ? '250-here\r\n250 AUTH PLAIN\r\n' : '502 no\r\n');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  // An address of this machine that is not recognized as local.
  const { delivery } = await providers({ smtpUrl: `smtp://user:secret@0.0.0.0:${port}` });
  const email = {
    key: 'communication/1',
    to: { address: 'ana@example.com' },
    subject: 'Viewing',
    text: 'At 10.',
  };
  expect(await delivery.email(email)).toEqual({
    outcome: 'failed',
    reason: expect.stringContaining('STARTTLS'),
  });
  expect(said).toMatch(/^EHLO/);
  expect(said).not.toMatch(/AUTH|MAIL/);
});
