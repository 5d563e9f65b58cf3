import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Refused } from '@crm/contract';
import Fastify from 'fastify';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { keepOrder } from './keep-order.ts';

const app = Fastify();
app.setErrorHandler((error, _request, reply) =>
  reply.code(error instanceof Refused ? 429 : 500).send(String(error)),
);
keepOrder(app);
/** What began and ended, in this order. */
let steps: string[] = [];
const held = new Map<string, () => void>();
app.all<{ Params: { name: string } }>('/:name', async ({ method, params: { name } }) => {
  steps.push(`${name} began`);
  if (method !== 'HEAD' && name !== 'free')
    await new Promise<void>((resolve) => {
      held.set(name, resolve);
    });
  steps.push(`${name} ended`);
  return name;
});
let requests = 0;
app.server.on('request', () => {
  requests += 1;
});
await app.listen({ port: 0 });
afterAll(() => app.close());
beforeEach(() => {
  steps = [];
  requests = 0;
});

const line = (request: string, last = false) =>
  `${request} HTTP/1.1\r\nhost: x\r\n${last ? 'connection: close\r\n' : ''}\r\n`;

/** Sends all of them at once; the connection ends after the last. */
function send(...sent: readonly string[]) {
  const socket = connect((app.server.address() as AddressInfo).port);
  socket.write(sent.map((request, index) => line(request, index === sent.length - 1)).join(''));
  return { socket, received: text(socket) };
}

const begun = (name: string) => expect.poll(() => held.has(name)).toBe(true);
const end = async (name: string) => {
  await begun(name);
  held.get(name)?.();
  held.delete(name);
};

/** After this the server has handled what had been sent to it. */
async function settled() {
  for (let index = 0; index < 5; index += 1) await send('GET /free').received;
  steps = steps.filter((step) => !step.startsWith('free'));
}

it('handles safe requests of a connection at the same time', async () => {
  const { received } = send('GET /a', 'GET /b', 'OPTIONS /c');
  await end('c');
  await end('b');
  await end('a');
  expect((await received).match(/^[abc]$|^[abc](?=HTTP)/gm)).toEqual(['a', 'b', 'c']);
});

it('handles an unsafe one after those before it, and before those behind it', async () => {
  const { received } = send('GET /a', 'POST /b', 'GET /c', 'DELETE /d', 'GET /e', 'GET /f');
  await begun('a');
  await settled();
  expect(steps).toEqual(['a began']);
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await end(name);
  await received;
  expect(steps.slice(0, 8)).toEqual([...'abcd'].flatMap((name) => [`${name} began`, `${name} ended`]));
});

it('lets one connection not wait for another', async () => {
  const first = send('POST /a');
  const second = send('POST /b');
  await end('b');
  await second.received;
  await end('a');
  await first.received;
});

it('does nothing of what waits when the connection ends', async () => {
  const { socket, received } = send('POST /a', 'POST /b');
  await begun('a');
  socket.destroy();
  await expect(received).rejects.toThrow();
  await settled();
  await end('a');
  await settled();
  expect(steps).toEqual(['a began', 'a ended']);
});

it('refuses more than a hundred that wait, and then reads no more of them', async () => {
  const many = Array.from({ length: 20_000 }, () => 'GET /free');
  const { received } = send('POST /a', ...many);
  await begun('a');
  await settled();
  expect(requests).toBeLessThan(5_000);
  await end('a');
  const statuses = (await received).match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];
  expect(statuses).toHaveLength(20_001);
  expect(statuses.slice(0, 102)).toEqual([...Array.from({ length: 101 }, () => '200'), '429']);
});
