import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RouterOf } from '@crm/contract';
import { freshDatabase, someone } from '@crm/testing';
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  TRPCClientError,
  type TRPCLink,
} from '@trpc/client';
import { afterAll, describe, expect, it } from 'vitest';
import { type notesApi, notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

type NotesRouter = RouterOf<typeof notesApi>;

const fresh = await freshDatabase([notesService.store]);
const service = await startNotes(fresh.urls.notes, { actor: someone() });
afterAll(async () => {
  await service.close();
  await fresh.drop();
});

const authorization = `Bearer crm_op_${'x'.repeat(43)}`;

/** The addresses of all requests of the clients. */
const requests: string[] = [];
const options = {
  url: `${service.url}/trpc`,
  headers: { authorization },
  fetch: async (url: Parameters<typeof fetch>[0], init?: RequestInit) => {
    requests.push(String(url));
    return fetch(url, init);
  },
};
const clientWith = (link: TRPCLink<NotesRouter>) => createTRPCClient<NotesRouter>({ links: [link] });
const links = {
  httpLink: httpLink<NotesRouter>(options),
  httpBatchLink: httpBatchLink<NotesRouter>(options),
  httpBatchStreamLink: httpBatchStreamLink<NotesRouter>(options),
};

describe.each(Object.entries(links))('the stock client with %s', (name, link) => {
  const { notes } = clientWith(link);

  it('reads and writes', async () => {
    const note = await notes.create.mutate({ text: 'a' });
    const [page, again] = await Promise.all([notes.find.query(), notes.get.query({ id: note.id })]);
    expect(page.data).toContainEqual(note);
    expect(again).toEqual(note);
  });

  it('receives the same error as every other caller', async () => {
    const [missing, broken, fine] = await Promise.allSettled([
      notes.get.query({ id: 99_999 }),
      notes.fault.query(),
      notes.find.query({ $limit: 1 }),
    ]);
    expect(missing).toMatchObject({
      reason: {
        data: {
          code: 'NOT_FOUND',
          problem: { name: 'NotFound', message: "No record found for id '99999'", errors: {} },
        },
      },
    });
    expect(missing.status === 'rejected' && missing.reason).toBeInstanceOf(TRPCClientError);
    expect(broken).toMatchObject({
      reason: { data: { problem: { name: 'GeneralError', message: 'Something went wrong.' } } },
    });
    expect(fine.status).toBe('fulfilled');
    await expect(notes.create.mutate({ text: 'eleven chars' })).rejects.toMatchObject({
      data: { httpStatus: 400, problem: { name: 'BadRequest', errors: { text: expect.any(String) } } },
    });
  });

  it('sends batches if it is meant to', async () => {
    requests.length = 0;
    await Promise.all([notes.find.query(), notes.find.query({ $limit: 2 })]);
    expect(requests).toHaveLength(name === 'httpLink' ? 2 : 1);
    expect(requests[0]?.includes('?batch=1')).toBe(name !== 'httpLink');
  });
});

const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${service.url}/trpc/${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    body,
  });

const count = async () => (await service.database.query('select from notes', [])).length;

describe('the endpoint of tRPC', () => {
  it('sends the JSON of the database as it is, to a GET and to a POST', async () => {
    const call = { procedure: 'notes.find', input: {}, credential: { actor: someone() }, requestId: 'r' };
    const answer = await service.call(call);
    const get = await fetch(`${service.url}/trpc/notes.find`, { headers: { authorization } });
    expect([get.status, await get.text()]).toEqual([200, expect.stringMatching(/^\{"result":\{"data":\{/)]);
    const elsewhere = await post('notes.find', '{"user_id":99999}');
    expect(await elsewhere.text()).toBe(`{"result":{"data":${answer.text}}}`);
  });

  it('passes on what a call carries besides its input', async () => {
    const before = await count();
    const tried = await post('notes.create', '{"text":"tried"}', { 'dry-run': 'true' });
    expect([tried.status, await count()]).toEqual([200, before]);
    for (const replayed of [null, 'true']) {
      const { headers } = await post('notes.create', '{"text":"key"}', {
        'idempotency-key': 'one',
        'x-request-id': 'asked',
      });
      expect([headers.get('idempotency-replayed'), headers.get('x-request-id')]).toEqual([replayed, 'asked']);
    }
    const strict = await post('notes.create', '{"text":"a","likes":1}', { prefer: 'handling=strict' });
    expect(strict.status).toBe(400);
    const [row] = await service.database.query('select max(id) as id from notes', []);
    const unchanged = await post('notes.like', `{"id":${row?.id}}`, { 'if-match': '"other"' });
    expect(unchanged.status).toBe(412);
  });

  it('handles calls that come together on a connection one after the other', async () => {
    const socket = connect(Number(new URL(service.url).port));
    const received = text(socket);
    const head = `HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\n`;
    const body = '{"text":"pipelined"}';
    socket.write(`POST /trpc/notes.create ${head}content-length: ${body.length}\r\n\r\n${body}`);
    socket.write(`GET /trpc/notes.find?input={"text":"pipelined"} ${head}connection: close\r\n\r\n`);
    expect(await received).toContain('{"total":1,');
  });

  it.each(['idempotency-key', 'if-match'])('refuses several calls with one %s', async (name) => {
    const before = await count();
    const body = '{"0":{"text":"a"},"1":{"text":"b"}}';
    for (const comma of [',', '%2C', '%252C', '%252c']) {
      const refused = await post(`notes.create${comma}notes.create?batch=1`, body, { [name]: 'one' });
      expect([refused.status, await refused.text(), await count()]).toEqual([
        400,
        expect.stringContaining(`${name} cannot be sent with several calls at once.`),
        before,
      ]);
    }
    const headers = { 'idempotency-key': name, 'x-request-id': name };
    const one = await post('notes.create?batch=1', '{"0":{"text":"a"}}', headers);
    expect([one.status, one.headers.get('x-request-id'), await count()]).toEqual([200, name, before + 1]);
  });

  it.each([
    ['a batch of more than 100 calls', 'POST', `${'notes.find,'.repeat(100)}notes.find?batch=1`, '{}', 400],
    ['no JSON', 'POST', 'notes.find', '{', 400],
    ['no JSON in the URL', 'GET', 'notes.find?input=%7B', undefined, 400],
    ['a mutation by GET', 'GET', 'notes.create', undefined, 405],
    ['an unknown procedure', 'POST', 'notes.nothing', '{}', 404],
    ['the resource alone', 'POST', 'notes', '{}', 404],
  ])('refuses %s with the usual error', async (_, method, path, body, status) => {
    const response = await fetch(`${service.url}/trpc/${path}`, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body }),
    });
    const answer = (await response.json()) as { error: unknown } | readonly { error: unknown }[];
    expect(response.status).toBe(status);
    expect([answer].flat()[0]).toMatchObject({
      error: { data: { problem: { name: expect.any(String), message: expect.any(String), errors: {} } } },
    });
  });
});
