import { once } from 'node:events';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startThings } from '../test/things-gateway.ts';

/** Everything that is received on one connection. */
async function raw(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(sent);
  return textOf(socket);
}

describe('a hostile URL', () => {
  it.each([
    ['nested deep', '?a[b][c][d][e][f][g][h]=1', 400],
    ['with thousands of parameters', `?${Array.from({ length: 2000 }, (_, n) => `a=${n}`).join('&')}`, 400],
    ['with the longest query', `?name=${'x'.repeat(32_763)}`, 200],
    ['with a longer query', `?a=${'x'.repeat(32_768)}`, 414],
    ['with a percent sign that starts no escape', '?name=%zz', 200],
    ['with a prototype key', '?__proto__[x]=1', 400],
    ['with a long id', `/${'9'.repeat(1001)}`, 414],
  ])('%s does not harm the gateway', async (_name, end, status) => {
    const { request } = await startThings();
    expect((await request(`GET /things${end}`)).status).toBe(status);
    expect((await request('GET /things')).status).toBe(200);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe('a hostile connection', () => {
  it('is refused with the usual error body even if it is not a request', async () => {
    const { port, request } = await startThings();
    const long = await raw(port, `GET /${'x'.repeat(65_536)} HTTP/1.1\r\nhost: a\r\n\r\n`);
    expect(long).toMatch(/^HTTP\/1\.1 414 .*"name":"UriTooLong".*"errors":\{\},"request_id":"[\da-f-]{36}"/s);
    const smuggled =
      'POST /things HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n';
    expect(await raw(port, smuggled)).toMatch(/^HTTP\/1\.1 400 .*"name":"BadRequest"/s);
    expect(await raw(port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect((await request('GET /things')).status).toBe(200);
  });

  it('cannot send two idempotency keys', async () => {
    const { port } = await startThings();
    const head = 'POST /things HTTP/1.1\r\nhost: a\r\nconnection: close\r\nauthorization: Bearer good\r\n';
    const keys = 'idempotency-key: a\r\nidempotency-key: b\r\n';
    const body = 'content-type: application/json\r\ncontent-length: 2\r\n\r\n{}';
    expect(await raw(port, head + keys + body)).toMatch(/^HTTP\/1\.1 400 .*is given more than once/s);
  });

  it.each([
    ['too large', 'content-type: application/json', '413'],
    ['of no known type', 'content-type: text/csv', '415'],
  ])('learns that its body is %s, even if it reads only after sending all of it', async (_, type, status) => {
    const { port } = await startThings();
    const body = 'x'.repeat(20_000_000);
    const head = `POST /things HTTP/1.1\r\nhost: a\r\nauthorization: Bearer good\r\n${type}\r\n`;
    for (const sent of [
      `${head}content-length: ${body.length}\r\n\r\n${body}`,
      `${head}transfer-encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ]) {
      const socket = connect(port, '127.0.0.1').pause();
      onTestFinished(() => void socket.destroy());
      if (!socket.write(sent)) await once(socket, 'drain');
      expect(String((await once(socket.resume(), 'data'))[0]).slice(9, 12)).toBe(status);
    }
  });

  it.each([
    ['no Host', 'GET /things HTTP/1.1\r\n', 400, 'has no Host header'],
    ['two Hosts', 'GET /things HTTP/1.1\r\nhost: a\r\nHost: b\r\n', 400, 'more than one Host'],
    ['HTTP/1.0 in chunks', 'POST /things HTTP/1.0\r\ntransfer-encoding: chunked\r\n', 400, 'HTTP/1.0 has no'],
    ['an unknown Expect', 'POST /things HTTP/1.1\r\nhost: a\r\nexpect: foo\r\n', 400, 'value of Expect'],
    [
      'another coding',
      'POST /things HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n',
      415,
      'uncompressed',
    ],
  ])('with %s is refused with the usual error body', async (_, head, status, message) => {
    const { port } = await startThings();
    const end = 'authorization: Bearer good\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n';
    const response = await raw(port, `${head}${end}${status === 415 ? '2\r\n{}\r\n0\r\n\r\n' : ''}`);
    expect([response.slice(9, 12), response]).toEqual([String(status), expect.stringContaining(message)]);
  });

  it('sends its body only after its token was admitted, if it waits for that', async () => {
    const { port } = await startThings();
    for (const [token, first] of [
      ['bad', /^HTTP\/1\.1 401 /],
      ['good', /^HTTP\/1\.1 100 /],
    ] as const) {
      const socket = connect(port, '127.0.0.1');
      const head = `POST /things HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\nexpect: 100-continue\r\n`;
      socket.write(`${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n`);
      expect(String((await once(socket, 'data'))[0])).toMatch(first);
      if (token === 'good') {
        socket.write('{}');
        expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 201 /);
      }
      socket.destroy();
    }
  });

  it('in HTTP/1.0, which has no interim responses, gets only the final one', async () => {
    const { port } = await startThings();
    const head = 'POST /things HTTP/1.0\r\nauthorization: Bearer good\r\nexpect: 100-continue\r\n';
    const answer = await raw(port, `${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  });

  it.each(['TRACE', 'PROPFIND', 'QUERY'])('is not opened by %s', async (method) => {
    const { port } = await startThings();
    const answer = await raw(port, `${method} /things HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  });

  it('that is closed in the middle of a body is not logged as a fault', async () => {
    const { port, lines, request } = await startThings();
    const socket = connect(port, '127.0.0.1');
    const head = 'POST /things HTTP/1.1\r\nhost: a\r\nauthorization: Bearer good\r\n';
    socket.write(`${head}content-type: application/json\r\ncontent-length: 99\r\n\r\n{`, () => {
      setTimeout(() => socket.destroy(), 50);
    });
    await once(socket, 'close');
    await request('GET /things');
    await expect.poll(() => lines.length).toBeGreaterThan(1);
    expect(lines.join()).not.toContain('fault');
  });
});
