import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { providers } from '../test/providers.ts';
import { startMs } from './limited.ts';

const reminder = {
  key: 'communication/12',
  to: { address: 'ana@example.com' },
  subject: 'Viewing at 10',
  text: 'See you there.',
};

const late = startMs + 300;
const never = (): void => undefined;

/** A mail server with some behavior, and what it has received. */
async function serverThat(options: SMTPServerOptions) {
  const arrived: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, _session, done) => {
      try {
        arrived.push(String(await stream.toArray()));
      } catch {
        return;
      }
      done();
    },
    ...options,
  });
  server.on('error', never);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.server.address() as AddressInfo;
  return { arrived, smtpUrl: `smtp://127.0.0.1:${port}` };
}

const slow: Record<string, SMTPServerOptions> = {
  'its greeting': { onConnect: (_session, done) => void sleep(late).then(() => done()) },
  'an answer to the recipient': {
    onRcptTo: (_address, _session, done) => void sleep(late).then(() => done()),
  },
};

describe('an e-mail that the server delays', () => {
  it.each(Object.entries(slow))('for %s is sent if it still may be', async (_, options) => {
    const { arrived, smtpUrl } = await serverThat(options);
    const { delivery } = await providers({ smtpUrl, timeoutMs: 20_000 });
    const asked: number[] = [];
    const mayStillSend = async () => {
      asked.push(arrived.length);
      return true;
    };
    expect(await delivery.email(reminder, mayStillSend)).toMatchObject({ outcome: 'sent' });
    expect(arrived).toMatchObject([expect.stringContaining('See you there.')]);
    expect(asked).toEqual([0]);
  });

  it.each<[string, (() => Promise<boolean>) | undefined]>([
    ['may not', async () => false],
    ['cannot be known', () => Promise.reject(new Error('No database.'))],
    ['is not asked about', undefined],
  ])('is not sent if it %s, and has certainly failed', async (_, mayStillSend) => {
    const { arrived, smtpUrl } = await serverThat(slow['an answer to the recipient'] ?? {});
    const { delivery } = await providers({ smtpUrl, timeoutMs: 20_000 });
    expect(await delivery.email(reminder, mayStillSend)).toEqual({
      outcome: 'failed',
      reason: expect.stringMatching(/may still be sent|No database/),
    });
    expect(arrived).toEqual([]);
    const other = await providers({ smtpUrl, timeoutMs: 20_000 });
    await other.delivery.email({ ...reminder, key: 'communication/13' }, async () => true);
    expect(arrived).toMatchObject([expect.stringContaining('communication/13')]);
  });

  it('has the whole time limit again for its content', async () => {
    const { arrived, smtpUrl } = await serverThat({
      ...slow['its greeting'],
      onData: async (stream, _session, done) => {
        arrived.push(String(await stream.toArray()));
        await sleep(late);
        done();
      },
    });
    const { delivery } = await providers({ smtpUrl, timeoutMs: 6_000 });
    expect(await delivery.email(reminder, async () => true)).toMatchObject({ outcome: 'sent' });
    expect(arrived).toHaveLength(1);
  });

  it.each<[string, SMTPServerOptions]>([
    ['greets', { onConnect: never }],
    ['answers to the recipient', { onRcptTo: never }],
  ])('fails if the server never %s, and says why', async (_, options) => {
    const { smtpUrl } = await serverThat(options);
    const { delivery } = await providers({ smtpUrl, timeoutMs: 20_000, emailTimeoutMs: 500 });
    expect(await delivery.email(reminder, async () => true)).toEqual({
      outcome: 'failed',
      reason: expect.stringMatching(/too slow|timeout|never received/i),
    });
  });

  it('is unknown if the server never responds to the content, and says so', async () => {
    const { smtpUrl } = await serverThat({ onData: (stream) => void stream.resume() });
    const { delivery } = await providers({ smtpUrl, timeoutMs: 20_000, emailTimeoutMs: 2_500 });
    expect(await delivery.email(reminder)).toEqual({
      outcome: 'unknown',
      reason: 'The mail server did not respond in time.',
    });
  });
});
