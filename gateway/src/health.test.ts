import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

describe('the gateway', () => {
  it.each([
    ['all services', { shop: true, crew: true }, 200, { status: 'ok', services: { shop: 'ok', crew: 'ok' } }],
    [
      'all services but one',
      { shop: true, crew: false },
      503,
      { status: 'unavailable', services: { shop: 'ok', crew: 'unavailable' } },
    ],
  ])('is alive and ready, and shows the status of %s', async (_name, services, status, shown) => {
    const { request } = await startThings({ reachable: async () => services });
    expect((await request('GET /healthz', { token: null })).status).toBe(200);
    expect((await request('GET /readyz', { token: null })).status).toBe(200);
    expect(await request('GET /status', { token: null })).toMatchObject({ status, json: shown });
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

  it('serves requests on an open connection while it closes, no longer ready, and then closes the connection', async () => {
    const { app, port } = await startThings({ drainMs: 60_000 });
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const ask = async () => {
      socket.write('GET /readyz HTTP/1.1\r\nhost: things\r\n\r\n');
      const [answer] = await once(socket, 'data');
      return String(answer);
    };
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: keep-alive/i);
    const closed = app.close();
    await expect.poll(ask).toMatch(/^HTTP\/1\.1 503 [\s\S]*connection: close/i);
    await closed;
  });
});
