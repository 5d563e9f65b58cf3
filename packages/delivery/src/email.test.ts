import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Behaviour } from '@crm/local-carriers';
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { longSubjects } from '../test/long-subjects.ts';
import { providers } from '../test/providers.ts';
import { startMs } from './limited.ts';

async function serverThat(onConnection: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Speaks SMTP up to a command, and then closes the connection. */
function talk(socket: Socket, last: string): void {
  socket.write('220 here\r\n');
  socket.on('data', (data) => {
    if (data.toString().startsWith(last)) socket.destroy();
    else socket.write('250 go on\r\n');
  });
}

const reminder = {
  key: 'communication/12',
  to: { name: 'Ána Ødegård', address: 'ana@example.com' },
  subject: 'Viewing at 10 — “Elm St.”',
  text: 'See you there.\n.\nOn a line of its own.',
};

describe('an e-mail', () => {
  it('arrives as it was written, with an id made of its key and the sender', async () => {
    const { delivery, mail } = await providers();
    const html = '<p>See you <b>there</b>.</p>';
    const reply_to = { name: 'Ben', address: 'ben@harbour.example' };

    expect(await delivery.email({ ...reminder, html, reply_to })).toEqual({
      outcome: 'sent',
      reference: '<communication/12@harbour.example>',
    });
    expect(await mail.mails()).toMatchObject([
      {
        message_id: '<communication/12@harbour.example>',
        from: 'Harbour Homes <office@harbour.example>',
        to: ['ana@example.com'],
        reply_to: ['Ben <ben@harbour.example>'],
        subject: reminder.subject,
        text: `${reminder.text}\n`,
        html: `${html}\n`,
        deliveries: 1,
        headers: expect.arrayContaining([{ name: 'X-Message-Key', value: 'communication/12' }]),
      },
    ]);
  });

  it.each([
    ['is marked as automatic, so that no program replies to it', undefined, ['auto-generated']],
    ['of a campaign is not marked as automatic', 'https://crm.example/unsubscribe/a', []],
  ])('%s', async (_, unsubscribe_url, values) => {
    const { delivery, mail } = await providers();
    await delivery.email({ ...reminder, ...(unsubscribe_url && { unsubscribe_url }) });
    const headers = (await mail.mails())[0]?.headers.filter(({ name }) => name === 'Auto-Submitted');
    expect(headers?.map(({ value }) => value)).toEqual(values);
  });

  it.each(longSubjects)('arrives with a subject of any length: %j', async (subject) => {
    const { delivery, mail } = await providers();
    await delivery.email({ ...reminder, subject });
    expect(await mail.mails()).toMatchObject([{ subject }]);
  });

  it('may have another sender than the configured one', async () => {
    const { delivery, mail } = await providers();
    const from = { name: 'Ben', address: 'ben@other.example' };
    expect(await delivery.email({ ...reminder, from })).toMatchObject({
      reference: '<communication/12@other.example>',
    });
    expect(await mail.mails()).toMatchObject([{ from: 'Ben <ben@other.example>' }]);
  });

  it.each<[string, Behaviour]>([
    ['refused', { answer: 550 }],
    ['refused', { answer: 554 }],
    ['failed', { answer: 421 }],
    ['failed', { answer: 451 }],
    ['unknown', 'break before accepting'],
    ['unknown', 'break after accepting'],
  ])('is %s when the server does this: %o', async (outcome, behaviour) => {
    const { delivery, mail } = await providers();
    mail.behave(() => behaviour);
    expect(await delivery.email(reminder)).toEqual({ outcome, reason: expect.stringMatching(/\w/) });
    expect(mail.received()).toMatchObject([{ key: reminder.key, arrivals: 1 }]);
  });

  it.each<[Behaviour, number]>([
    ['hang before accepting', 0],
    ['hang after accepting', 1],
  ])('is unknown when the server does not respond in time: %s', async (behaviour, accepted) => {
    const { delivery, mail } = await providers({ timeoutMs: 2_500 });
    mail.behave(() => behaviour);
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'unknown' });
    expect(mail.received()).toMatchObject([{ key: reminder.key, accepted }]);
  });

  it('may take longer than a text, because a server examines the content before it responds', async () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, _session, done) => stream.on('end', () => setTimeout(done, startMs + 300)).resume(),
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    onTestFinished(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.server.address() as AddressInfo;
    const smtpUrl = `smtp://127.0.0.1:${port}`;
    const { delivery } = await providers({ smtpUrl, timeoutMs: 400, emailTimeoutMs: 30_000 });
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'sent' });
  });

  it('asks its server to report a bounce under its key, and nothing else', async () => {
    const envelopes: SMTPServerEnvelope[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      hideDSN: false,
      onData: (stream, { envelope }, done) => {
        envelopes.push(envelope);
        stream.on('end', done).resume();
      },
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    onTestFinished(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.server.address() as AddressInfo;
    const { delivery } = await providers({ smtpUrl: `smtp://127.0.0.1:${port}` });
    await delivery.email(reminder);
    expect(envelopes).toMatchObject([
      { dsn: { envid: reminder.key, ret: 'HDRS' }, rcptTo: [{ dsn: { notify: ['FAILURE'] } }] },
    ]);
  });

  it('is not waited for once e-mail is ended, and later ones have certainly failed', async () => {
    const { delivery, mail } = await providers({ emailTimeoutMs: 600_000 });
    mail.behave(() => 'hang after accepting');
    const sending = delivery.email(reminder);
    await expect.poll(() => mail.received()).not.toEqual([]);
    await delivery.endEmails();
    expect(await sending).toMatchObject({ outcome: 'unknown' });
    expect(await delivery.email({ ...reminder, key: 'communication/14' })).toMatchObject({
      outcome: 'failed',
    });
  });

  it('fails, and may be retried, when the server rejects the credentials', async () => {
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      onAuth: (_given, _session, callback) => callback(new Error('Who are you?')),
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    onTestFinished(() => new Promise((resolve) => server.close(resolve)));
    const { port } = server.server.address() as AddressInfo;
    const { delivery } = await providers({ smtpUrl: `smtp://user:wrong@127.0.0.1:${port}` });
    expect(await delivery.email(reminder)).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('Who are you?'),
    });
  });

  it('fails when the server is unavailable', async () => {
    const { delivery, mail } = await providers();
    await mail.close();
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'failed' });
  });

  it('whose outcome was unknown has the same id when it is sent again', async () => {
    const { delivery, mail } = await providers();
    mail.behave(() => 'break after accepting');
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'unknown' });
    mail.behave(undefined);
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'sent' });

    expect(await mail.mails()).toMatchObject([{ deliveries: 2 }]);
  });

  it('is not repeated automatically, even on a connection that was used before', async () => {
    const { delivery, mail } = await providers();
    await delivery.email({ ...reminder, key: 'communication/11' });
    mail.behave(() => 'break after accepting');
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'unknown' });
    expect(mail.received()).toMatchObject([{ arrivals: 1 }, { arrivals: 1, accepted: 1 }]);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['ends the connection at once', (socket) => socket.destroy()],
    ['never responds', () => undefined],
    ['ends the connection when the sender is named', (socket) => talk(socket, 'MAIL')],
    ['ends the connection when the message is announced', (socket) => talk(socket, 'DATA')],
  ])('has certainly failed when the server %s', async (_, onConnection) => {
    const smtpUrl = await serverThat(onConnection);
    const { delivery } = await providers({ smtpUrl, timeoutMs: 1_000 });
    expect(await delivery.email(reminder)).toMatchObject({ outcome: 'failed' });
  });

  it('is sent even if the server has closed the connection of the previous one', async () => {
    const { delivery, mail } = await providers();
    await delivery.email(reminder);
    mail.breakConnections();
    expect(await delivery.email({ ...reminder, key: 'communication/13' })).toMatchObject({
      outcome: 'sent',
    });
  });

  it.each([{ path: '/etc/hostname' }, { href: 'http://127.0.0.1:9/' }])(
    'reads no local files and no URLs, even if a text is an object: %o',
    async (source) => {
      const { delivery, mail } = await providers();
      const text = source as unknown as string;
      expect(await delivery.email({ ...reminder, text })).toMatchObject({
        reason: expect.stringMatching(/access rejected/i),
      });
      expect(mail.received()).toEqual([]);
    },
  );

  it('with an invalid key throws', async () => {
    const { delivery } = await providers();
    await expect(delivery.email({ ...reminder, key: 'a\r\nBcc: b' })).rejects.toThrow('cannot be the key');
  });
});

describe('a header cannot be injected', () => {
  const breaks = ['\r\n', '\n', '\r', '\0', '\u2028', '\u0085'];

  it.each(breaks)('into a subject, a name or an address with %j', async (lineBreak) => {
    const { delivery, mail } = await providers();
    const injected = `x${lineBreak}Bcc: thief@example.com`;
    const address = `${injected}@example.com`;
    const attempts = [
      { ...reminder, subject: injected },
      { ...reminder, to: { ...reminder.to, name: injected } },
      { ...reminder, to: { address } },
      { ...reminder, from: { name: injected, address: 'a@harbour.example' } },
      { ...reminder, from: { address } },
      { ...reminder, reply_to: { name: injected, address: 'a@harbour.example' } },
      { ...reminder, reply_to: { address } },
    ];
    for (const attempt of attempts) {
      expect(await delivery.email(attempt)).toMatchObject({ outcome: 'refused' });
    }
    expect(mail.received()).toEqual([]);
  });

  it.each([
    '',
    'nobody',
    '@example.com',
    'a@',
    'a b@example.com',
    'a@example.com, thief@example.com',
    'a@example.com;thief@example.com',
    'thief@example.com <a@example.com>',
    '<a@example.com>',
    'group: a@example.com',
    '"a@thief.example"@example.com',
    'a(comment)@example.com',
    'a@example.com ',
    `${'a'.repeat(250)}@example.com`,
  ])('into an address such as %j', async (address) => {
    const { delivery, mail } = await providers();
    expect(await delivery.email({ ...reminder, to: { address } })).toEqual({
      outcome: 'refused',
      reason: 'This is not one e-mail address.',
    });
    expect(mail.received()).toEqual([]);
  });

  it('by a name that looks like an address', async () => {
    const { delivery, mail } = await providers();
    const name = 'thief@example.com, "B" <b@example.com>; C:';
    await delivery.email({ ...reminder, to: { ...reminder.to, name } });
    expect(await mail.mails()).toMatchObject([{ to: ['ana@example.com'] }]);
    const [header] = (await mail.mails())[0]?.headers.filter(({ name: field }) => field === 'To') ?? [];
    expect(header?.value).toContain('<ana@example.com>');
    expect((await mail.mails())[0]?.headers.map(({ name: field }) => field.toLowerCase())).not.toContain(
      'bcc',
    );
  });
});
