import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { limitBodyTime } from './limit-body-time.ts';
import { answerSocketError } from './socket-errors.ts';
import { leaveBodies } from './uploads/leave-bodies.ts';

const app = Fastify({
  clientErrorHandler: (error, socket) => answerSocketError(error, socket, undefined),
});
limitBodyTime(app, undefined, { maxMs: 50, maxRestMs: 50 });
const answer = async () => ({ answered: true });
app.post('/json', answer);
app.post('/file', { config: { isSlow: true } }, answer);
app.register(async (scope) => {
  leaveBodies(scope);
  scope.post('/part', { config: { isSlow: true } }, async ({ raw }) => {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) return { received: String(chunk) };
  });
});
app.get('/held', (_request, reply) => void reply.hijack());
/** A download that starts and continues until a test ends it. */
let download = new PassThrough();
app.get('/download', async (_request, reply) => {
  download = new PassThrough();
  download.write('begin');
  return reply.send(download);
});
await app.listen({ port: 0 });
afterAll(() => app.close());

const connected = () => connect((app.server.address() as AddressInfo).port);

/** Sends the headers and a part of the body of a request, and the rest after the promise. */
async function send(path: string, head: string, rest?: Promise<unknown>) {
  const socket = connected();
  const received = text(socket);
  const headers = 'host: x\r\ncontent-type: application/json\r\nconnection: close';
  socket.write(
    `POST ${path} HTTP/1.1\r\n${headers}\r\n${head}\r\n\r\n${head.startsWith('transfer') ? '1\r\n{\r\n' : '{'}`,
  );
  await rest;
  if (rest) socket.write('}');
  return received;
}

/** The first response to the data sent on a connection. */
async function responseTo(sent: string, socket = connected()) {
  socket.write(sent);
  return [String((await once(socket, 'data'))[0]), socket] as const;
}

describe('the body of a request with a response', () => {
  const head = 'POST /part HTTP/1.1\r\nhost: x\r\ncontent-type: text/csv\r\ncontent-length: 2\r\n\r\n';

  it('ends the connection if the rest of it does not arrive', async () => {
    const [response, socket] = await responseTo(`${head}a`);
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    await once(socket, 'close');
  });

  it('does not end the connection if all of it arrived', async () => {
    const [, socket] = await responseTo(`${head}ab`);
    const [, other] = await responseTo(`${head}a`);
    await once(other, 'close');
    expect((await responseTo(`${head}ab`, socket))[0]).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });

  it('of a GET does not interrupt the response, however long that takes', async () => {
    const [begin, socket] = await responseTo(
      'GET /download HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}',
    );
    const rest = text(socket);
    await send('/json', 'content-length: 2');
    download.end('end');
    expect(begin + (await rest)).toMatch(/^HTTP\/1\.1 200 .*5\r\nbegin\r\n3\r\nend\r\n0\r\n\r\n$/s);
  });
});

describe('a connection with a response in progress', () => {
  it('gets no second response when it sends garbage', async () => {
    const [begin, socket] = await responseTo('GET /download HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(begin).toMatch(/^HTTP\/1\.1 200 /);
    const rest = text(socket);
    socket.write('nonsense\r\n\r\n');
    expect(await rest).not.toContain('HTTP/1.1');
  });

  it('does not get the response to garbage as that to the previous request', async () => {
    const socket = connected();
    const received = text(socket);
    socket.write('GET /held HTTP/1.1\r\nhost: x\r\n\r\nnonsense\r\n\r\n');
    expect(await received).toBe('');
  });
});

describe('a body that arrives too slowly', () => {
  it('is refused, however its length is given', async () => {
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
    const socket = connected();
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
