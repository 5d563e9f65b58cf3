import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

it('the status of a service says whether its database accepts writes, and reads are served in any case', async () => {
  const fresh = await freshDatabase([notesService.store]);
  onTestFinished(fresh.drop);
  const { url, close } = await startNotes(fresh.urls.notes, { actor: { system: true, caller: 'operator' } });
  onTestFinished(close);
  const headers = { authorization: `Bearer crm_op_${'x'.repeat(43)}` };
  const database = async () => {
    const response = await fetch(`${url}/status`, { headers });
    return ((await response.json()) as { readonly database: object }).database;
  };
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
