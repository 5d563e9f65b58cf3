import { describe, expect, it } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

describe('the gateway', () => {
  it.each([
    ['ready', async () => true, 200],
    ['not ready', async () => false, 503],
    ['not ready when the check fails', () => Promise.reject(new Error('unavailable')), 503],
  ])('is alive, and %s', async (_name, ready, status) => {
    const { request } = await startThings({ ready });
    expect((await request('GET /healthz', { token: null })).status).toBe(200);
    expect((await request('GET /readyz', { token: null })).status).toBe(status);
  });

  it('finishes the requests in progress before it closes', async () => {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const { app, request } = await startThings({
      answer: async () => {
        arrived.resolve();
        await released.promise;
        return { text: '{"id":1}', replayed: false };
      },
    });
    const answer = request('GET /things/1');
    await arrived.promise;
    const closed = app.close();
    released.resolve();
    expect(await answer).toMatchObject({ status: 200, json: { id: 1 } });
    await closed;
  });
});
