import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { providers } from '../test/providers.ts';

const reminder = {
  key: 'communication/12',
  to: { address: 'ana@example.com' },
  subject: 'Viewing at 10',
  text: 'See you there.',
};

const reply = (response: string) =>
  Object.assign(new Error(response.slice(4)), { responseCode: Number(response.slice(0, 3)) });

/** The response of a mail server at one stage of the protocol, after all earlier stages succeeded. */
const stages: Record<string, (response: string) => SMTPServerOptions> = {
  'its greeting': (response) => ({ onConnect: (_session, done) => done(reply(response)) }),
  'MAIL FROM': (response) => ({ onMailFrom: (_address, _session, done) => done(reply(response)) }),
  'RCPT TO': (response) => ({ onRcptTo: (_address, _session, done) => done(reply(response)) }),
  'the content': (response) => ({
    onData: (stream, _session, done) => stream.on('end', () => done(reply(response))).resume(),
  }),
};

async function outcomeOf(smtpUrl: string) {
  const { delivery } = await providers({ smtpUrl });
  return delivery.email(reminder);
}

async function outcomeAt(stage: string, response: string) {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    ...stages[stage]?.(response),
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(resolve)));
  return outcomeOf(`smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`);
}

async function outcomeOfTalk(answers: Record<string, string>) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.write('220 here\r\n');
    socket.on('data', (data) => socket.write(`${answers[data.toString().slice(0, 4)] ?? '250 go on'}\r\n`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return outcomeOf(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe('an e-mail', () => {
  it.each([
    ['its greeting', '554 client host blocked'],
    ['its greeting', '550 5.7.1 no service for you'],
    ['MAIL FROM', '530 Authentication required'],
    ['MAIL FROM', '550 5.4.5 daily limit exceeded'],
    ['MAIL FROM', '550 sender not allowed'],
    ['MAIL FROM', '553 5.1.3 the address of the sender is invalid'],
    ['MAIL FROM', '501 Syntax error'],
    ['MAIL FROM', '552 quota exceeded'],
    ['MAIL FROM', '552 5.2.2 quota exceeded'],
    ['RCPT TO', '501 5.5.4 unsupported parameter'],
    ['RCPT TO', '530 5.7.0 Authentication required'],
    ['RCPT TO', '550 5.4.5 daily limit exceeded'],
    ['RCPT TO', '554 5.7.1 Relay access denied'],
    ['RCPT TO', '554 5.7.1 Client host [5.1.1.7] blocked'],
    ['RCPT TO', '550 5.1.8 the domain of the sender was not found'],
    ['RCPT TO', '550 relay not permitted'],
    ['the content', '554 Message rejected: Email address is not verified.'],
    ['the content', '554 Sending paused for this account.'],
    ['RCPT TO', '521 host accepts no mail'],
    ['the content', '550 5.4.5 daily limit exceeded'],
    ['the content', '550 5.7.26 unauthenticated sender'],
    ['the content', '554 5.3.0 the queue is broken'],
    ['the content', '535 5.7.8 credentials were revoked'],
    ['the content', '550 The from address does not match a verified Sender Identity.'],
    ['the content', '554 5.2.252 SendAsDenied; a@example.com not allowed to send as b@example.com'],
    ['the content', '554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException'],
    ['the content', '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException'],
    ['the content', "550 5.1.90 you've reached your daily limit for message recipients"],
    ['RCPT TO', "550 5.1.90 you've reached your daily limit for message recipients"],
    ['the content', '550 5.7.1 Client does not have permissions to send as this sender'],
    ['the content', '550 5.7.1 no permissions to send on behalf of this address'],
    ['the content', '551 5.7.1 Not authorized to send from this header address'],
    ['the content', '552 Daily sending quota exceeded'],
    ['RCPT TO', '552 Monthly sending quota exceeded'],
  ])('fails, and may be retried, when the server refuses us at %s: %s', async (stage, response) => {
    expect(await outcomeAt(stage, response)).toEqual({
      outcome: 'failed',
      reason: expect.stringContaining(response),
    });
  });

  it.each([
    ['EHLO', { EHLO: '550 no', HELO: '550 go away' }],
    ['STARTTLS', { EHLO: '250-here\r\n250 STARTTLS', STAR: '554 5.7.3 TLS is broken' }],
    ['DATA', { DATA: '554 5.5.1 not now' }],
  ])('fails, and may be retried, when the server refuses %s', async (_, answers) => {
    expect(await outcomeOfTalk(answers)).toMatchObject({ outcome: 'failed' });
  });

  it.each([
    ['RCPT TO', '550 no such user'],
    ['RCPT TO', '553 that is no mailbox'],
    ['RCPT TO', '550 5.2.0 the mailbox takes no mail'],
    ['RCPT TO', '550 5.0.0 no such user'],
    ['the content', '550 this is spam'],
    ['the content', '554 5.7.1 this is spam, from 5.1.1.7'],
    ['the content', '552 5.3.4 too large'],
    ['the content', '554 5.6.0 malformed'],
    ['the content', '552 5.2.2 the mailbox is full'],
    ['RCPT TO', '552 the mailbox is over its quota'],
    ['RCPT TO', '552 5.2.2 the recipient is over its limit'],
    ['MAIL FROM', '552 5.3.4 Message size exceeds fixed limit'],
    ['MAIL FROM', '552 5.2.3 the message is too long'],
    ['RCPT TO', '501 Syntax error'],
    ['RCPT TO', '552 5.3.4 too large for this mailbox'],
    ['the content', '550 5.7.1 You do not have permission to send to this recipient'],
    ['the content', '554 5.7.1 not authorized to send to this group'],
  ])('is refused when the server refuses its recipient or content at %s: %s', async (stage, response) => {
    expect(await outcomeAt(stage, response)).toEqual({
      outcome: 'refused',
      reason: expect.stringContaining(response),
    });
  });

  it('does not block its address when the server mentions an IP address', async () => {
    expect(await outcomeAt('RCPT TO', '550 spam from 5.1.1.7')).not.toHaveProperty('block');
  });

  it.each([
    ['RCPT TO', '550 5.1.1 no such user'],
    ['RCPT TO', '501 5.1.3 bad address'],
    ['RCPT TO', '550 5.1.1 <daily-limit@example.com> is unknown'],
    ['RCPT TO', '550 the next server said 5.1.1'],
    ['RCPT TO', '550 5.0.0 the next server said 550-5.1.1 no such user'],
    ['RCPT TO', '550 5.4.1 Recipient address rejected: Access denied. AS(201806281)'],
    ['RCPT TO', '550 5.5.0 Requested action not taken: mailbox unavailable'],
    ['the content', '550 5.2.1 the mailbox is disabled'],
  ])('blocks its address when the server has no such mailbox, at %s: %s', async (stage, response) => {
    expect(await outcomeAt(stage, response)).toMatchObject({ outcome: 'refused', block: 'unreachable' });
  });
});
