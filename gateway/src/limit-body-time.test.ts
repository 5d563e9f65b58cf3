import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { limitBodyTime } from './limit-body-time.ts';

const app = Fastify();
limitBodyTime(app, undefined, 50);
const answer = async () => ({ answered: true });
app.post('/json', answer);
app.post('/file', { config: { isSlow: true } }, answer);
await app.listen({ port: 0 });
afterAll(() => app.close());

/** Sends the headers of a request and a part of its body, and the rest when the condition is met. */
async function send(path: string, head: string, rest?: Promise<unknown>) {
  const socket = connect((app.server.address() as AddressInfo).port);
  const received = text(socket);
  const headers = 'host: x\r\ncontent-type: application/json\r\nconnection: close';
  socket.write(
    `POST ${path} HTTP/1.1\r\n${headers}\r\n${head}\r\n\r\n${head.startsWith('transfer') ? '1\r\n{\r\n' : '{'}`,
  );
  await rest;
  if (rest) socket.write('}');
  return received;
}

describe('a body that arrives too slowly', () => {
  it('is refused, however its length is told', async () => {
    for (const head of ['content-length: 2', 'transfer-encoding: chunked']) {
      const received = await send('/json', head);
      expect(received).toMatch(/^HTTP\/1\.1 400 /);
      expect(received).toContain('The request took too long to arrive.');
    }
  });

  it('is waited for if it is a file', async () => {
    const other = send('/json', 'content-length: 2');
    expect(await send('/file', 'content-length: 2', other)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('does not end a connection whose request has arrived', async () => {
    const socket = connect((app.server.address() as AddressInfo).port);
    const post =
      'POST /json HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
    socket.write(post);
    await once(socket, 'data');
    await send('/json', 'content-length: 2');
    socket.write(post);
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});
