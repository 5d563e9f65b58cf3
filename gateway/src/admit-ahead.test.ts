import type { Call } from '@crm/client';
import { tokenInvalid } from '@crm/contract';
import type { RateLimits } from '@crm/service/process';
import { letPass, withStoppedClock } from '@crm/testing';
import { describe, expect, it } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

/** A gateway whose tokens carry a changing state, and whose service returns the credential that it was called with. */
async function startChanging(rateLimits?: RateLimits) {
  const identity = { rights: 'first', isValid: true, until: Promise.resolve() };
  const things = await startThings({
    ...(rateLimits && { rateLimits }),
    trustedProxies: ['127.0.0.1'],
    admit: async () => {
      await identity.until;
      const { rights, isValid } = identity;
      if (!isValid) throw tokenInvalid();
      return { credential: { token: rights }, rights, user: 7, account: 7 };
    },
    answer: async ({ credential }) => ({
      text: JSON.stringify({ id: 1, name: credential?.token }),
      replayed: false,
    }),
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  return { ...things, identity, hold: () => Object.assign(identity, { until: promise }), letGo: resolve };
}

const tokensOf = (calls: readonly Call[]) => calls.map(({ credential }) => credential?.token);

describe('a request whose token was admitted before', () => {
  it('is sent to the service before it is admitted, and is answered only after its admission', async () => {
    const { request, calls, hold, letGo } = await startChanging();
    await request('GET /things/1');
    hold();
    let isAnswered = false;
    const answer = request('GET /things/1').finally(() => {
      isAnswered = true;
    });
    await expect.poll(() => calls.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAnswered).toBe(false);
    letGo();
    expect(await answer).toMatchObject({ status: 200, json: { name: 'first' } });
    expect(tokensOf(calls)).toEqual(['first', 'first']);
  });

  it('gets no data if the token has been revoked since', async () => {
    const { request, calls, identity } = await startChanging();
    await request('GET /things/1');
    identity.isValid = false;
    const { status, json, headers } = await request('GET /things/1');
    expect(status).toBe(401);
    expect(JSON.stringify(json)).not.toContain('first');
    expect(headers.get('etag')).toBeNull();
    expect(calls).toHaveLength(2);
  });

  it('gets what its user may see now if rights have changed since', async () => {
    const { request, calls, identity } = await startChanging();
    await request('GET /things/1');
    identity.rights = 'second';
    expect(await request('GET /things/1')).toMatchObject({ status: 200, json: { name: 'second' } });
    expect(tokensOf(calls)).toEqual(['first', 'first', 'second']);
    await request('GET /things/1');
    expect(tokensOf(calls).slice(3)).toEqual(['second']);
  });

  it('is refused for its token before any other error', async () => {
    const { request, identity } = await startChanging();
    await request('GET /things/1');
    identity.isValid = false;
    expect(await request('GET /things/1', { headers: { 'if-match': 'wrong' } })).toMatchObject({
      status: 401,
    });
  });

  it('changes nothing before it is admitted', async () => {
    const { request, calls, identity } = await startChanging();
    await request('GET /things/1');
    identity.isValid = false;
    for (const change of ['POST /things', 'PATCH /things/1', 'DELETE /things/1'])
      expect(await request(change, { body: {} }), change).toMatchObject({ status: 401 });
    expect(calls).toHaveLength(1);
  });

  it('costs the service nothing if its account has used up its requests', async () => {
    const { request, calls } = await startChanging({ address: 100, token: 100, account: 2 });
    for (const status of [200, 200, 429, 429])
      expect(await request('GET /things/1')).toMatchObject({ status });
    expect(calls).toHaveLength(2);
  });

  it.each([
    { what: 'token', more: { token: 'other' } },
    { what: 'address', more: { headers: { 'x-forwarded-for': '192.0.2.7' } } },
  ])('is not sent to the service early if it has another $what', async ({ more }) => {
    const { request, calls, hold, letGo } = await startChanging();
    await request('GET /things/1');
    hold();
    const answer = request('GET /things/1', more);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toHaveLength(1);
    letGo();
    expect(await answer).toMatchObject({ status: 200 });
  });

  it.each([
    ['is for a download', 'GET /things/export'],
    ['reads what allows writing, which is in the audit log', 'GET /things/keys'],
  ])('is not sent to the service early if it %s', async (_which, read) => {
    const { request, calls, hold, letGo } = await startChanging();
    await request('GET /things/1');
    hold();
    const answer = request(read);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(calls).toHaveLength(1);
    letGo();
    await answer;
    expect(calls).toHaveLength(2);
  });

  it('is not sent to the service early if its token was admitted more than four seconds ago', async () => {
    const { request, calls, hold, letGo } = await startChanging();
    await withStoppedClock(async () => {
      await request('GET /things/1');
      letPass(4_001);
      hold();
      const answer = request('GET /things/1');
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(calls).toHaveLength(1);
      letGo();
      expect(await answer).toMatchObject({ status: 200 });
    });
  });
});
