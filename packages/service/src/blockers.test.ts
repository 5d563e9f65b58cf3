import { freshDatabase, someone } from '@crm/testing';
import pg from 'pg';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

const fresh = await freshDatabase([notesService.store]);
const service = await startNotes(fresh.urls.notes, { actor: { system: true, caller: 'operator' } });
afterAll(async () => {
  await service.close();
  await fresh.drop();
});

interface Body {
  readonly name?: string;
  readonly blockers: readonly { readonly pid: number }[];
}

async function status(): Promise<{ readonly code: number; readonly body: Body }> {
  const headers = { authorization: `Bearer crm_op_${'x'.repeat(43)}` };
  const response = await fetch(`${service.url}/status`, { headers });
  return { code: response.status, body: (await response.json()) as Body };
}

/** A session of somebody else. */
async function session(application_name: string) {
  const client = new pg.Client({ connectionString: fresh.adminUrl, application_name });
  // It may be ended by the database.
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  const [row] = (await client.query('select pg_backend_pid() as pid, current_user as user')).rows;
  return { client, pid: Number(row.pid), user: String(row.user), application: application_name };
}

const lock = (table: string) => `begin; lock table notes.${table} in access exclusive mode`;

/** Notes are written until the test ends, as by clients who try again. */
function keepWriting() {
  let isOver = false;
  const credential = { actor: someone() };
  const write = () =>
    service.call({ procedure: 'notes.create', input: { text: 'a' }, credential, requestId: 'r' });
  const writing = (async () => {
    while (!isOver) await write().catch(() => undefined);
  })();
  onTestFinished(async () => {
    isOver = true;
    await writing;
  });
}

it('the status of a service names whoever keeps its sessions waiting, and whom that one waits for', async () => {
  expect((await status()).body.blockers).toEqual([]);
  const reader = await session('reader');
  const { client: changing, ...change } = await session('change');
  await reader.client.query('begin; select from notes.notes');
  const changed = changing.query(lock('notes'));
  keepWriting();
  const { client: _, ...read } = reader;
  const found = async () => (await status()).body.blockers;
  await expect.poll(found, { timeout: 30_000 }).toEqual(
    [
      { ...read, waiting: 1, isWaiting: false },
      { ...change, waiting: 1, isWaiting: true },
    ].toSorted((a, b) => a.pid - b.pid),
  );
  await reader.client.query('rollback');
  await changed;
  await expect.poll(found, { timeout: 30_000 }).toEqual([{ ...change, waiting: 1, isWaiting: false }]);
  await changing.query('rollback');
  expect(await found()).toEqual([]);
});

it('a status that needs a locked table is unavailable, and names who has locked it', async () => {
  const { client, pid } = await session('locking');
  await client.query(lock('outbox'));
  expect(await status()).toMatchObject({ code: 503, body: { name: 'Unavailable', blockers: [{ pid }] } });
  await client.query('rollback');
  expect(await status()).toMatchObject({ code: 200, body: { blockers: [] } });
});

it('a stranger is not told who locks tables', async () => {
  const { client } = await session('locking');
  await client.query(lock('outbox'));
  const stranger = await startNotes(fresh.urls.notes, { actor: someone() });
  onTestFinished(stranger.close);
  const response = await fetch(`${stranger.url}/status`, {
    headers: { authorization: `Bearer crm_op_${'x'.repeat(43)}` },
  });
  expect([response.status, await response.json()]).toEqual([
    403,
    expect.not.objectContaining({ blockers: expect.anything() }),
  ]);
});
