import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { providers } from '../test/providers.ts';

const reminder = {
  key: 'communication/12',
  to: { address: 'jörg@example.com' },
  subject: 'Viewing at 10',
  text: 'See you there.',
};

/** A mail server that accepts such addresses or not, and the commands that it receives. */
async function serverWith(isAccepting: boolean) {
  const recipients: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    hideSMTPUTF8: !isAccepting,
    onRcptTo: ({ address }, _session, done) => {
      recipients.push(address);
      done();
    },
    onData: (stream, _session, done) => stream.on('end', done).resume(),
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  const { delivery } = await providers({ smtpUrl: `smtp://127.0.0.1:${port}` });
  return { delivery, recipients };
}

describe('an e-mail to an address with non-ASCII characters', () => {
  it('is sent through a server that accepts such addresses', async () => {
    const { delivery, recipients } = await serverWith(true);
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'sent' });
    expect(recipients).toEqual(['jörg@example.com']);
  });

  it('is refused without being announced to another server, and does not block its address', async () => {
    const { delivery, recipients } = await serverWith(false);
    expect(await delivery.email(reminder)).toEqual({
      outcome: 'refused',
      reason: 'The mail server accepts only addresses with ASCII characters before the "@".',
    });
    expect(recipients).toEqual([]);
  });

  it('is sent through any server if only its domain has such characters, because a domain has an ASCII form', async () => {
    const { delivery, recipients } = await serverWith(false);
    expect(await delivery.email({ ...reminder, to: { address: 'jorg@bücher.example' } })).toMatchObject({
      outcome: 'sent',
    });
    expect(recipients).toHaveLength(1);
  });

  it('waits if its sender has such an address, which the operator can change', async () => {
    const { delivery, recipients } = await serverWith(false);
    const from = { address: 'büro@harbour.example' };
    expect(await delivery.email({ ...reminder, from, to: { address: 'ana@example.com' } })).toMatchObject({
      outcome: 'failed',
    });
    expect(recipients).toEqual([]);
  });

  it('waits if the server does not say', async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).destroy());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { delivery } = await providers({ smtpUrl });
    expect(await delivery.email(reminder)).toEqual({
      outcome: 'failed',
      reason: expect.stringMatching(/\w/),
    });
  });

  it('arrives at the local mail catcher', async () => {
    const { delivery, mail } = await providers();
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'sent' });
    expect(await mail.mails()).toMatchObject([{ to: ['jörg@example.com'] }]);
  });

  it('fails within the time of one attempt if the server responds slowly', async () => {
    const server = createServer((socket) => {
      const say = (text: string) => setTimeout(() => socket.write(text), 400);
      socket.on('error', () => undefined).on('data', () => say('250 here\r\n'));
      say('220 here\r\n');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { delivery } = await providers({ smtpUrl, emailTimeoutMs: 500 });
    expect(await delivery.email(reminder)).toEqual({
      outcome: 'failed',
      reason: expect.stringContaining('too slow'),
    });
  });
});
