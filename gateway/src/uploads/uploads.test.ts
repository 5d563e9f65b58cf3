import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import type { CallService } from '@crm/client';
import {
  flag,
  id,
  invalidField,
  operation,
  Refused,
  text,
  type UploadPart,
  web,
  withUpload,
} from '@crm/contract';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { createGateway } from '../app.ts';
import { routesOf } from '../routes.ts';

const upload = { parts: 'files.receive', types: ['text/csv'], maxBytes: 256 * 1024 * 1024 } as const;
const files = {
  create: withUpload(
    operation({
      rest: 'POST /files',
      summary: 'Send a file',
      input: z.object({ name: text(255).optional(), type: text(50).optional(), dry_run: flag.optional() }),
      query: ['name', 'dry_run'],
      output: z.object({ id }),
      accepted: true,
      dryRun: false,
    }),
    upload,
  ),
  page: web({ rest: 'POST /page', kind: 'mutation', summary: 'Send', upload, answers: { 303: {} } }),
};
const all = routesOf({ shop: { files } });

type Part = z.output<typeof UploadPart>;

/** A gateway on a real port in front of a service that records the parts of files, and may refuse them. */
async function start({
  begin = async () => ({ id: 7 }) as object,
  refusal = undefined as Refused | undefined,
} = {}) {
  const parts: Part[] = [];
  const shop: CallService = async ({ procedure, input }) => {
    if (procedure === upload.parts) parts.push(input as Part);
    if (refusal && parts.length === 1) throw refusal;
    const answer = procedure === upload.parts ? { id: 7 } : await begin();
    return { text: JSON.stringify({ status: 303, headers: {}, body: '', ...answer }), replayed: false };
  };
  const app = createGateway({
    routes: all.filter(({ operation }) => !operation.web),
    webRoutes: all.filter(({ operation }) => operation.web),
    services: { shop },
    asGateway: async () => undefined,
    admit: async () => ({ credential: undefined }),
    log: pino({ level: 'silent' }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  return { app, parts, sender: (path: string, type?: string) => sender(port, path, type) };
}

/** A client that reads nothing until its response is requested. */
function sender(port: number, path: string, type = 'multipart/form-data; boundary=b') {
  const socket = connect(port, '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer good\r\ncontent-type: ${type}`;
  socket.write(`${head}\r\ntransfer-encoding: chunked\r\n\r\n`);
  return {
    /** Resolves when all of it has left this process. */
    async send(body: string | Buffer) {
      socket.write(`${Buffer.byteLength(body).toString(16)}\r\n`);
      socket.write(body);
      if (!socket.write('\r\n')) await once(socket, 'drain');
    },
    end: () => void socket.write('0\r\n\r\n'),
    destroy: () => socket.destroy(),
    response: async () => String((await once(socket.resume(), 'data'))[0]),
  };
}

const field = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const fileHead =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n';
const end = '\r\n--b--\r\n';
const rows = (bytes: number) => 'x,y\n'.repeat(bytes / 4);

describe('the fields of a form', () => {
  it.each([
    ['/page', 80_000, '413', 'more than 64 KiB'],
    ['/files', 1_100_000, '413', 'more than 1024 KiB'],
  ])('are refused at %s as soon as they are too large', async (path, bytes, status, message) => {
    const { sender } = await start();
    const client = sender(path);
    for (let sent = 0; sent < bytes; sent += 10_000) await client.send(field('a', 'x'.repeat(9_999)));
    const response = await client.response();
    expect([response.slice(9, 12), response]).toEqual([status, expect.stringContaining(message)]);
  });

  it('are refused as soon as there are too many', async () => {
    const { sender } = await start();
    const client = sender('/files');
    await client.send(field('a', '').repeat(1_101));
    expect(await client.response()).toMatch(/^HTTP\/1\.1 400 .*has too many fields/s);
  });

  it('are not ignored when they are unknown or have no name', async () => {
    const { sender, parts } = await start();
    for (const unknown of [field('dryrun', 'true'), field('', 'x').replace('; name=""', '')]) {
      const client = sender('/files');
      await client.send(unknown + fileHead + rows(40) + end);
      client.end();
      expect(await client.response()).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(parts).toEqual([]);
  });

  it.each([
    ['are refused', field('dry_run', 'true'), 'has fields after the file'],
    ['are refused, as a second file is,', `${fileHead}x\r\n`, 'has more than one file'],
    ['are waited for, as the end is,', '', 'is not a valid form'],
  ])('%s after the file', async (_what, after, message) => {
    const { sender, parts } = await start();
    for (const bytes of [40, 1_000_000]) {
      const client = sender('/files');
      await client.send(`${fileHead}${rows(bytes)}\r\n`);
      await client.send(after === '' ? '--b' : `${after}--b--\r\n`);
      client.end();
      const response = await client.response();
      expect([response.slice(9, 12), response]).toEqual(['400', expect.stringContaining(message)]);
    }
    expect(parts.filter((part) => part.is_last)).toEqual([]);
    expect(parts.filter((part) => part.problem?.includes(message))).toHaveLength(2);
  });
});

describe('a service that refuses a file', () => {
  it.each([
    ['is not UTF-8', 'The file is not UTF-8.'],
    ['The file has no column nope.', 'The file has no column nope.'],
    ['No header matches a field.', 'No header matches a field.'],
  ])('learns why: %s', async (message, problem) => {
    const { sender, parts } = await start({ refusal: invalidField('file', message) });
    const client = sender('/files', 'text/csv');
    await client.send(rows(40));
    client.end();
    expect(await client.response()).toMatch(/^HTTP\/1\.1 400 /);
    expect(parts.at(-1)).toMatchObject({ problem });
  });
});

describe('a client that sends all of a file before it reads', () => {
  const broken = Buffer.concat([Buffer.from([0x41, 0xe9, 0x0a]), Buffer.from(rows(20_000_000))]);
  const csv = 'text/csv';
  const form = Buffer.concat([Buffer.from(fileHead), broken, Buffer.from(end)]);
  const tooMany = () => Promise.reject(new Refused({ name: 'Conflict', message: 'Too many imports' }));
  it.each([
    ['the file is not text', '/files', csv, broken, undefined, '400', 'The file is not UTF-8.'],
    ['the file of a form is not text', '/files', undefined, form, undefined, '400', 'The file is not UTF-8.'],
    ['a file is not wanted', '/files', csv, broken, tooMany, '409', 'Too many imports'],
    ['a form is not wanted', '/files', undefined, form, tooMany, '409', 'Too many imports'],
    ['a page wants none', '/page', undefined, form, async () => ({}), '303', 'x-request-id'],
  ] as const)('learns that %s', async (_what, path, type, body, begin, status, text) => {
    const { sender } = await start({ begin });
    const client = sender(path, type);
    await client.send(body);
    client.end();
    const response = await client.response();
    expect([response.slice(9, 12), response]).toEqual([status, expect.stringContaining(text)]);
  });

  it('does not block a gateway that closes', async () => {
    const { app, sender } = await start();
    const client = sender('/files', csv);
    await client.send(broken);
    expect(await client.response()).toMatch(/^HTTP\/1\.1 400 /);
    const closed = app.close();
    await expect.poll(() => app.server.listening).toBe(false);
    client.end();
    await closed;
  });
});
