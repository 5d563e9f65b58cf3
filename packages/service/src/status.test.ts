import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

const statusAt = async (url: string) => {
  const response = await fetch(`${url}/status`, {
    headers: { authorization: `Bearer crm_op_${'x'.repeat(43)}` },
  });
  return (await response.json()) as { readonly database: object; readonly endingIds: readonly object[] };
};

it('the status of a service says whether its database accepts writes, and reads are served in any case', async () => {
  const fresh = await freshDatabase([notesService.store]);
  onTestFinished(fresh.drop);
  const { url, close } = await startNotes(fresh.urls.notes, { actor: { system: true, caller: 'operator' } });
  onTestFinished(close);
  const database = async () => (await statusAt(url)).database;
  expect(await database()).toMatchObject({ acceptsWrites: true, locale: 'C.UTF-8' });

  const administrator = new pg.Client({ connectionString: fresh.adminUrl });
  await administrator.connect();
  const name = new URL(fresh.adminUrl).pathname.slice(1);
  await administrator.query(`alter database ${name} set default_transaction_read_only to on`);
  await administrator.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await administrator.end();
  await expect.poll(database, { timeout: 60_000 }).toMatchObject({ acceptsWrites: false });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

it('the status of a service names the numbers of records of which four fifths are used', async () => {
  const fresh = await freshDatabase([notesService.store]);
  onTestFinished(fresh.drop);
  const { url, close } = await startNotes(fresh.urls.notes, { actor: { system: true, caller: 'operator' } });
  onTestFinished(close);
  const administrator = new pg.Client({ connectionString: fresh.adminUrl });
  await administrator.connect();
  onTestFinished(() => administrator.end());
  const endingAfter = async (last: number) => {
    await administrator.query("select setval('notes.notes_id_seq', $1)", [last]);
    return (await statusAt(url)).endingIds;
  };
  expect(await endingAfter(1_717_986_917)).toEqual([]);
  expect(await endingAfter(1_739_461_755)).toEqual([{ sequence: 'notes_id_seq', usedPercent: 81 }]);
});
