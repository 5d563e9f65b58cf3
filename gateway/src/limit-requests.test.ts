import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

const states = (headers: Headers) => headers.get('ratelimit')?.replaceAll(/t=\d+/g, 't=…');

describe('the limit of a token', () => {
  it('is shown in every response, and refuses further requests with the time to wait', async () => {
    const { calls, admitted, request } = await startThings({
      rateLimits: { address: 100, token: 2, account: 200 },
    });
    const [first, second, third] = [
      await request('GET /things'),
      await request('PATCH /things/1', { body: {} }),
      await request('GET /things', { headers: { origin: 'https://x.example' } }),
    ];
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"address";q=100;w=60, "token";q=2;w=60, "account";q=200;w=60',
    );
    expect(states(first.headers)).toBe('"address";r=99;t=…, "token";r=1;t=…, "account";r=199;t=…');
    expect(states(second.headers)).toBe('"address";r=98;t=…, "token";r=0;t=…, "account";r=198;t=…');
    const message = expect.stringMatching(/with this token: at most 2 per minute .* Try again in \d+ s\.$/);
    const json = { name: 'TooManyRequests', code: 429, className: 'too-many-requests', message, errors: {} };
    expect(third).toMatchObject({ status: 429, json });
    expect(states(third.headers)).toBe('"address";r=97;t=…, "token";r=0;t=…');
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(third.headers.get('retry-after')).toBe(
      /"token";r=0;t=(\d+)/.exec(third.headers.get('ratelimit') ?? '')?.[1],
    );
    expect(third.headers.get('access-control-allow-origin')).toBe('*');
    expect(third.headers.get('access-control-expose-headers')).toMatch(/RateLimit, RateLimit-Policy/);
    expect(calls).toHaveLength(2);
    // A refused request costs identity nothing.
    expect(admitted).toHaveLength(2);
  });

  it('does not affect other tokens', async () => {
    const { request } = await startThings({ rateLimits: { address: 100, token: 1, account: 200 } });
    const statuses = ['a', 'a', 'b'].map(
      (token) => async () => (await request('GET /things', { token })).status,
    );
    expect([await statuses[0]?.(), await statuses[1]?.(), await statuses[2]?.()]).toEqual([200, 429, 200]);
  });

  it('applies to concurrent requests', async () => {
    const { calls, request } = await startThings({ rateLimits: { address: 100, token: 5, account: 200 } });
    const answers = await Promise.all(Array.from({ length: 20 }, () => request('GET /things')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    expect(calls).toHaveLength(5);
  });

  it('does not count invalid tokens, which count toward the limit of their address', async () => {
    const { request } = await startThings({ rateLimits: { address: 3, token: 1, account: 200 } });
    const bad = () => request('GET /things', { token: 'bad' });
    const answers = [await bad(), await bad(), await request('GET /things'), await bad()];
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 200, 429]);
    expect(states(answers[1]?.headers ?? new Headers())).toBe('"address";r=1;t=…');
  });
});

describe('the limit of an account', () => {
  it('is shared by its tokens, and does not affect other accounts', async () => {
    const { request } = await startThings({ rateLimits: { address: 100, token: 100, account: 2 } });
    const answers = [];
    for (const token of ['one.7', 'two.7', 'three.7', 'one.8'])
      answers.push(await request('GET /things', { token }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 200]);
    const [, , refused] = answers;
    expect(states(refused?.headers ?? new Headers())).toMatch(/"account";r=0;t=…$/);
    expect(refused?.json).toMatchObject({
      message: expect.stringMatching(/with the tokens of this account: at most 2 per minute/),
    });
  });
});

describe('the limit of an address', () => {
  const used = async () => {
    const system = await startThings({ rateLimits: { address: 1, token: 100, account: 200 } });
    await system.request('GET /nothing', { token: null });
    return system;
  };

  it('is checked before anything of the request is read', async () => {
    const { request } = await used();
    const lines = [
      'GET /things?access_token=x',
      'GET /things/%zz',
      'PUT /things',
      'OPTIONS /things',
      'GET /docs/',
    ];
    for (const line of [...lines, 'GET /status', 'GET /openapi.json']) {
      const { status, headers } = await request(line, { token: null });
      expect([line, status, headers.has('retry-after')]).toEqual([line, 429, true]);
      expect(headers.get('access-control-expose-headers')).toMatch(/Retry-After/);
    }
    expect(await request('POST /things', { token: 'bad', body: '{' })).toMatchObject({
      status: 429,
      json: { message: expect.stringMatching(/from this address: at most 1 per minute/) },
    });
  });

  it('applies to the whole network of a customer', async () => {
    const { request } = await startThings({
      rateLimits: { address: 2, token: 100, account: 200 },
      trustedProxies: ['127.0.0.1'],
    });
    const from = async (address: string) =>
      (await request('GET /nothing', { token: null, headers: { 'x-forwarded-for': address } })).status;
    const addresses = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'];
    const statuses = [];
    for (const address of addresses) statuses.push(await from(address));
    expect(statuses).toEqual([404, 404, 429, 404]);
    const withPorts = ['[2001:db8::9]:4000', '9.9.9.9:4000', '9.9.9.9:4001', '9.9.9.9', '9.9.9.8:4000'];
    expect(await Array.fromAsync(withPorts, from)).toEqual([429, 404, 404, 429, 404]);
  });

  it('does not apply to health checks', async () => {
    const { request } = await used();
    expect(await request('GET /healthz', { token: null })).toMatchObject({ status: 200 });
    expect(await request('GET /readyz', { token: null })).toMatchObject({ status: 200 });
  });

  it('does not crash the process when a connection is lost at the same time', async () => {
    const { port, request } = await used();
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /%zz HTTP/1.1\r\nhost: x\r\n\r\n');
    socket.end();
    await text(socket);
    expect(await request('GET /readyz', { token: null })).toMatchObject({ status: 200 });
  });
});

it('without limits, a response has no header fields for them', async () => {
  const { request } = await startThings();
  expect([...(await request('GET /things')).headers.keys()].filter((name) => /rate/.test(name))).toEqual([]);
});
