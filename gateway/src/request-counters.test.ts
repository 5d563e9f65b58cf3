import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { faultyProxy, startValkey } from '@crm/testing';
import { pino } from 'pino';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { startThings } from '../test/things-gateway.ts';
import { openCounters } from './request-counters.ts';

const valkey = await startValkey();
afterAll(valkey.stop);

/** The counters of each test start from zero, in a separate database. */
let databases = 0;
const freshUrl = (at = valkey.url) => `${at}/${databases++ % 16}`;
const perMinute = { address: 1_000, token: 4, account: 1_000 };

/** A gateway that counts at this URL, and its log entries about that. */
async function gatewayAt(url: string, limits = perMinute, patience?: number) {
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const rateLimits = { ...limits, url };
  const counters = await openCounters(rateLimits, log, patience);
  const things = await startThings({ rateLimits, counters });
  const statusOf = async (token = 'one.7') => (await things.request('GET /things', { token })).status;
  return { ...things, statusOf, logged: () => lines.map(({ msg }) => msg) };
}

const together = 'requests are counted together with other gateways';
const alone =
  'the server at RATE_LIMIT_URL does not respond: this gateway counts requests on its own until it does';

describe('gateways with one RATE_LIMIT_URL', () => {
  /** Even on a busy machine, nobody gives up the server. */
  const gatewayOf = (url: string, limits = perMinute) => gatewayAt(url, limits, 30_000);

  it('share the limits of a token, an account and an address', async () => {
    for (const [limits, tokens] of [
      [{ address: 1_000, token: 4, account: 1_000 }, ['one.7']],
      [{ address: 1_000, token: 1_000, account: 4 }, ['one.7', 'two.7', 'three.7']],
      [{ address: 4, token: 1_000, account: 1_000 }, ['one.7', 'one.8', 'one.9']],
    ] as const) {
      const url = freshUrl();
      const both = [await gatewayOf(url, limits), await gatewayOf(url, limits)];
      const statuses: (number | undefined)[] = [];
      for (let sent = 0; sent < 8; sent++)
        statuses.push(await both[sent % 2]?.statusOf(tokens[sent % tokens.length]));
      expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429, 429]);
    }
  });

  it('share them for concurrent requests, too', async () => {
    const url = freshUrl();
    const both = [await gatewayOf(url), await gatewayOf(url)];
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, sent) => both[sent % 2]?.statusOf()));
    expect(statuses.filter((status) => status === 200)).toHaveLength(4);
    expect(statuses.filter((status) => status === 429)).toHaveLength(16);
  });

  it('show how much of the shared limit is left', async () => {
    const url = freshUrl();
    const [one, other] = [await gatewayOf(url), await gatewayOf(url)];
    await one.statusOf();
    const { headers } = await other.request('GET /things', { token: 'one.7' });
    expect(headers.get('ratelimit')).toMatch(
      /^"address";r=998;t=\d+, "token";r=2;t=\d+, "account";r=998;t=\d+$/,
    );
  });
});

describe('a gateway whose RATE_LIMIT_URL', () => {
  it.each([
    ['is cut off', { isCut: true }],
    ['is silent', { isSilent: true }],
  ])('%s counts on its own, reports it once, and shares again when it is back', async (_, disturbance) => {
    const proxy = await faultyProxy(freshUrl());
    onTestFinished(proxy.close);
    const gateway = await gatewayAt(proxy.url);
    expect(await gateway.statusOf('one.7')).toBe(200);
    const before = gateway.logged().length;
    proxy.disturb(disturbance);
    const meanwhile = [];
    for (let sent = 0; sent < 6; sent++) meanwhile.push(await gateway.statusOf('two.7'));
    expect(meanwhile).toEqual([200, 200, 200, 200, 429, 429]);
    expect(gateway.logged().slice(before)).toEqual([alone]);
    proxy.disturb();
    await expect
      .poll(() => gateway.statusOf('three.8').then(gateway.logged), { timeout: 60_000 })
      .toContain(`${together} again`);
  });

  it('does not respond from the start still serves requests', async () => {
    const proxy = await faultyProxy(freshUrl());
    onTestFinished(proxy.close);
    proxy.disturb({ isCut: true });
    const gateway = await gatewayAt(proxy.url);
    expect(await gateway.statusOf()).toBe(200);
    expect(gateway.logged()).toEqual([alone]);
  });

  it('refuses its commands still serves requests', async () => {
    const url = new URL(freshUrl());
    url.username = 'nobody';
    url.password = 'wrong';
    const gateway = await gatewayAt(url.href);
    expect(await gateway.statusOf()).toBe(200);
    expect(gateway.logged()).toEqual([alone]);
  });

  it('responds in the last instant of a window does not refuse a token beyond it', async () => {
    // Valkey reports a remainder of less than a millisecond as 0, but no test can query it at that moment.
    let left = 0;
    const server = createServer((socket) => {
      socket.on('data', (data) => {
        for (const [, command] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g))
          if (/^info$/i.test(command ?? '')) socket.write('$9\r\nloading:0\r\n');
          else
            socket.write(
              /^eval/i.test(command ?? '') ? `*2\r\n:${left > 0 ? 1 : 4}\r\n:${left}\r\n` : '+OK\r\n',
            );
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const counters = await openCounters(
      { ...perMinute, url: `redis://127.0.0.1:${port}` },
      pino({ level: 'silent' }),
    );
    onTestFinished(counters.close);
    const { count, usedUp } = counters.of('token', 4);
    expect((await count('one')).consumedPoints).toBe(4);
    left = 60_000;
    expect(await usedUp('one')).toBeUndefined();
    expect((await count('one')).consumedPoints).toBe(1);
  });
});
