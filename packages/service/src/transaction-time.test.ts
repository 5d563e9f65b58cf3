import { freshDatabase, someone } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { notesService } from '../test/notes.ts';
import { startNotes } from '../test/start-notes.ts';

const fresh = await freshDatabase([notesService.store]);
const service = await startNotes(fresh.urls.notes);
afterAll(async () => {
  await service.close();
  await fresh.drop();
});

const create = (text: string) =>
  service.call({
    procedure: 'notes.create',
    input: { text },
    credential: { actor: someone() },
    requestId: 'r',
  });

it('a transaction that lasts too long is ended and stores nothing, whatever it does meanwhile', async () => {
  const long = service.database.orm.em.fork({ clear: true }).transactional(async (em) => {
    // One that runs is shortened only by being ended first.
    await em.execute('set local transaction_timeout = 0');
    await em.execute(`set local transaction_timeout = '200ms'`);
    await em.execute(`insert into notes (user_id, version, text, likes) values (1, 1, 'late', 0)`);
    for (let count = 0; count < 100; count++) await em.execute('select pg_sleep(0.05)');
  });
  await expect(long).rejects.toThrow();
  await create('after');
  expect(await service.database.query('select text from notes', [])).toEqual([{ text: 'after' }]);
});

it('each transaction of a service has an end, as the guide about changes says', async () => {
  const limit = `select extract(epoch from current_setting('transaction_timeout')::interval)::int as seconds`;
  expect(await service.database.query(limit, [])).toEqual([{ seconds: 60 }]);
});
