import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../test/serve.ts';
import { breaker } from './breaker.ts';
import type { Call } from './call.ts';
import { deadlineIn } from './deadline.ts';
import { remoteService } from './remote-service.ts';
import { resultText } from './wire.ts';

const unavailable = { name: 'Unavailable', retryAfter: expect.any(Number) };

/** A breaker with a clock that the test moves. */
function atTime() {
  const time = { ms: 0 };
  return {
    time,
    peer: breaker(
      () => time.ms,
      () => 1,
    ),
  };
}

const fail = (peer: ReturnType<typeof breaker>) => peer.admit()('failed');

it('after five failures in a row nobody calls the peer, then one does, and all do if that one reaches it', () => {
  const { time, peer } = atTime();
  for (let count = 0; count < 4; count++) fail(peer);
  peer.admit()('reached');
  for (let count = 0; count < 5; count++) fail(peer);
  expect(peer.admit).toThrow(expect.objectContaining(unavailable));
  time.ms = 500;
  const probed = peer.admit();
  expect(peer.admit).toThrow(expect.objectContaining(unavailable));
  probed('reached');
  expect([peer.admit(), peer.admit()]).toHaveLength(2);
});

it('a breaker waits longer after an attempt that fails, up to a second, and ignores calls that were sent before', () => {
  const { time, peer } = atTime();
  const sent = Array.from({ length: 20 }, () => peer.admit());
  for (const settle of sent) settle('failed');
  const waits: number[] = [];
  for (let count = 0; count < 6; count++) {
    const began = time.ms;
    for (;;) {
      try {
        fail(peer);
        break;
      } catch {
        time.ms += 100;
      }
    }
    waits.push(time.ms - began);
  }
  expect(waits).toEqual([500, 1_000, 1_000, 1_000, 1_000, 1_000]);
});

it('calls that nobody waits for any longer count only if the peer has been silent towards all for seconds', () => {
  const { time, peer } = atTime();
  const giveUp = (sent: ReturnType<typeof peer.admit>[]) =>
    sent.forEach((settle) => void settle('unanswered'));
  const send = () => Array.from({ length: 6 }, () => peer.admit());
  const early = send();
  time.ms += 5_000;
  giveUp(early);
  const queued = send();
  time.ms += 9_000;
  peer.admit()('reached');
  time.ms += 1_000;
  giveUp(queued);
  const unanswered = send();
  time.ms += 5_001;
  giveUp(unanswered);
  expect(peer.admit).toThrow(expect.objectContaining(unavailable));
});

it('a breaker lets the next call try if the one that tried gave up', () => {
  const { time, peer } = atTime();
  for (let count = 0; count < 5; count++) fail(peer);
  time.ms = 500;
  peer.admit()(undefined);
  expect(peer.admit()).toBeTypeOf('function');
});

it('a server that refused connections is called again later, and meanwhile nobody waits for it', async () => {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const { call, close } = remoteService(`http://127.0.0.1:${port}`);
  onTestFinished(close);
  const ask = () => call({ procedure: 'notes.find', input: {}, credential: undefined, requestId: 'r' });
  for (let count = 0; count < 5; count++) await expect(ask()).rejects.toMatchObject(unavailable);
  let received = 0;
  const back = createServer((_request, response) => {
    received++;
    response.end(resultText('{}'));
  }).listen(port, '127.0.0.1');
  await once(back, 'listening');
  onTestFinished(() => void back.close());
  await expect(ask()).rejects.toMatchObject(unavailable);
  expect(received).toBe(0);
  await expect.poll(() => ask().catch(() => undefined)).toMatchObject({ text: '{}' });
});

it('a refusal is an answer, however often it comes', async () => {
  const ask = await serve((_request, response) =>
    response
      .writeHead(404)
      .end(JSON.stringify({ error: { data: { problem: { name: 'NotFound', message: 'No' } } } })),
  );
  for (let count = 0; count < 10; count++) await expect(ask()).rejects.toMatchObject({ name: 'NotFound' });
});

it.each<[string, Partial<Call>, string]>([
  ['an actor that it cannot send', { credential: { actor: { system: true } } }, 'A resolved actor'],
  ['an input that is not JSON', { input: { id: 1n } }, 'BigInt'],
  ['a header that cannot be sent', { idempotencyKey: 'ключ' }, 'idempotency-key'],
])('a call with %s is a fault of the caller, however often it comes', async (_which, call, message) => {
  const ask = await serve((_request, response) => response.end(resultText('{}')));
  for (let count = 0; count < 6; count++) await expect(ask(call)).rejects.toThrow(message);
  expect(await ask()).toMatchObject({ text: '{}' });
});

it('a failed call says why the server could not be reached, for the log', async () => {
  const ask = await serve((request) => void request.socket.destroy());
  await expect(ask()).rejects.toMatchObject({ ...unavailable, cause: { code: 'UND_ERR_SOCKET' } });
});

it('a call sends how much time is left, waits no longer for a silent server, and is not sent when no time is left', async () => {
  const times: number[] = [];
  const ask = await serve(({ headers }) => void times.push(Number(headers['x-time-left'])));
  await expect(ask({ deadline: deadlineIn(3_000) })).rejects.toMatchObject(unavailable);
  await expect(ask({ deadline: deadlineIn(0) })).rejects.toMatchObject(unavailable);
  expect(times).toHaveLength(1);
  expect(times[0]).toBeGreaterThan(0);
  expect(times[0]).toBeLessThanOrEqual(3_000);
});
