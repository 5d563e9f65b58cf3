import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineIn } from '@crm/client';
import { freshDatabase, someone } from '@crm/testing';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { notesApi, notesService, writing } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';
import { identityMs } from './ask-identity.ts';
import { authenticator } from './authenticate.ts';
import { linkedPeers, peer } from './index.ts';

const fresh = await freshDatabase([notesService.store]);
const anna = someone();
const service = await startNotes(fresh.urls.notes, { actor: anna });
afterAll(async () => {
  await service.close();
  await fresh.drop();
});

const write = (text: string, deadline?: number) =>
  service.call({
    procedure: 'notes.create',
    input: { text },
    credential: { actor: anna },
    requestId: 'r',
    deadline,
  });
const written = async () =>
  (await service.database.query('select text from notes order by id', [])).map(({ text }) => text);
const tooLate = { name: 'Unavailable', retryAfter: 1 };

it('a request for which nobody waits any longer is refused and changes nothing, also when it comes over HTTP', async () => {
  await expect(write('late', deadlineIn(0))).rejects.toMatchObject(tooLate);
  const send = (left: string) =>
    fetch(`${service.url}/trpc/notes.create`, {
      method: 'POST',
      headers: {
        authorization: `Bearer crm_op_${'x'.repeat(43)}`,
        'content-type': 'application/json',
        'x-time-left': left,
      },
      body: JSON.stringify({ text: left }),
    });
  const refused = await send('0');
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { error: { data: { problem: tooLate } } },
  ]);
  expect(await written()).toEqual([]);
  expect((await send('5000')).status).toBe(200);
  expect(await written()).toEqual(['5000']);
});

it('a request whose time is up while others of the user have their turn does not begin', async () => {
  const { rows } = await service.database.pool.query('select id from notes limit 1');
  const client = await service.database.pool.connect();
  await client.query('begin');
  await client.query('select from notes where id = $1 for update', [rows[0]?.id]);
  const like = () =>
    service.call({
      procedure: 'notes.like',
      input: { id: String(rows[0]?.id) },
      credential: { actor: anna },
      requestId: 'r',
    });
  const others = Array.from({ length: 4 }, like);
  const late = write('late', deadlineIn(100));
  setTimeout(() => client.query('commit').then(() => client.release()), 300);
  await expect(late).rejects.toMatchObject(tooLate);
  await Promise.all(others);
  expect(await written()).toEqual(['5000']);
});

it('a statement ends when the time of its request is up, in a transaction and outside of it', async () => {
  const before = await written();
  const slow = {
    procedure: 'notes.create',
    input: { text: 'slow' },
    credential: { actor: anna },
    requestId: 'r',
  };
  for (const own of [{}, { idempotencyKey: 'slow' }])
    await expect(service.call({ ...slow, ...own, deadline: deadlineIn(300) })).rejects.toMatchObject(tooLate);
  expect(await written()).toEqual(before);

  const holder = await service.database.pool.connect();
  await holder.query('begin; lock table notes in access exclusive mode');
  const find = service.call({ ...slow, procedure: 'notes.find', input: {}, deadline: deadlineIn(300) });
  await expect(find).rejects.toMatchObject({
    ...tooLate,
    message: 'The request took too long.',
  });
  await holder.query('rollback');
  holder.release();
  const again = service.call({ ...slow, idempotencyKey: 'slow', deadline: deadlineIn(60_000) });
  expect(await again).toMatchObject({ replayed: false });
  expect(await written()).toEqual([...before, 'slow']);
});

it('what follows a commit is finished after the time of its request, and has its response', async () => {
  const [row] = await service.database.query('select min(id) as id from notes', []);
  const notes = Promise.withResolvers<unknown>();
  const deadline = deadlineIn(300);
  writing.afterLike = async ({ query }) => {
    await sleep(deadline - performance.now());
    notes.resolve(await query('select count(*) from notes', []));
  };
  onTestFinished(() => void delete writing.afterLike);
  const like = { procedure: 'notes.like', input: { id: String(row?.id) }, requestId: 'r' };
  const liked = service.call({ ...like, credential: { actor: anna }, deadline });
  expect(JSON.parse((await liked).text)).toMatchObject({ id: row?.id });
  expect(await notes.promise).toHaveLength(1);
});

it('what is left of the time is passed on to other services', async () => {
  const deadline = deadlineIn(1_000);
  const given: unknown[] = [];
  const peers = linkedPeers(
    {
      notes: async (call) => {
        given.push(call.deadline);
        return { text: '{"total":0,"data":[]}', replayed: false };
      },
    },
    'other',
  );
  const ctx = { peers, requestId: 'r', deadline, actor: anna, credential: undefined };
  await peer('notes', notesApi).onBehalf(ctx).notes.find({});
  await peer('notes', notesApi).asSystem(ctx).notes.find({});
  expect(given).toEqual([deadline, deadline]);
});

it('identity is asked within the time of the request, and within seconds if that has none', async () => {
  const given: (number | undefined)[] = [];
  const authenticate = authenticator('notes', async (call) => {
    given.push(call.deadline);
    return { text: JSON.stringify(anna), replayed: false };
  });
  const credential = { token: `crm_op_${'x'.repeat(43)}` };
  const deadline = deadlineIn(1_000);
  await authenticate(credential, 'r', deadline);
  await authenticate(credential, 'r');
  expect(given).toEqual([deadline, expect.any(Number)]);
  expect(Number(given[1]) - deadline).toBeGreaterThan(0);
});

it('identity has as long for an answer as its one statement may take', async () => {
  const longest = `select extract(epoch from current_setting('statement_timeout')::interval)::float8 as seconds`;
  const [row] = await service.database.query(longest, []);
  expect(row?.seconds).toBeGreaterThan(0);
  expect(identityMs).toBeGreaterThan(Number(row?.seconds) * 1_000);
});
