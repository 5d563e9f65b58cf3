import { lendDatabase } from '@crm/testing';
import { describe, expect, it } from 'vitest';
import { notesService } from '../test/notes.ts';

const lend = () => lendDatabase(notesService.store);
const notes = async ({ database }: Awaited<ReturnType<typeof lend>>) =>
  (await database.query('select text from notes', [])).map(({ text }) => text);
const add =
  'insert into notes (version, user_id, text, likes) select 1, 1, n, 0 from generate_series(1, $1) n';

describe('the database that a test file gave back', () => {
  it.each([3, 6_000])('is used again, without the %i rows that were added', async (count) => {
    const first = await lend();
    await first.database.query(add, [count]);
    expect(await notes(first)).toHaveLength(count);
    await first.giveBack();
    const second = await lend();
    expect(second.database).toBe(first.database);
    expect(await notes(second)).toEqual([]);
    await second.giveBack();
  });

  it('is that of one test at a time, also when it is given back twice', async () => {
    const first = await lend();
    await Promise.all([first.giveBack(), first.giveBack()]);
    const [second, third] = [await lend(), await lend()];
    expect(second.database).not.toBe(third.database);
    await Promise.all([second.giveBack(), third.giveBack()]);
  });

  it.each([
    'create table more (id int)',
    'alter table notes rename to notes_away',
    'alter table notes alter column text drop not null',
    'alter table notes add constraint short check (length(text) < 3)',
    'alter table outbox disable trigger user',
    'create function fail() returns int language sql as $$ select 1 $$',
    'analyze notes',
  ])('is not used again after: %s', async (statement) => {
    const first = await lend();
    await first.database.query(statement, []);
    await first.giveBack();
    const second = await lend();
    expect(second.database).not.toBe(first.database);
    expect(await notes(second)).toEqual([]);
    await second.giveBack();
  });

  it('is not used again when a connection of it was kept', async () => {
    const first = await lend();
    const client = await first.database.pool.connect();
    const given = first.giveBack();
    await expect.poll(() => first.database.pool.ending).toBe(true);
    client.release();
    await given;
    const second = await lend();
    expect(second.database).not.toBe(first.database);
    await second.giveBack();
  });

  it('has nobody listening to its connections', async () => {
    const first = await lend();
    const before = first.database.pool.listenerCount('error');
    first.database.pool.on('error', () => undefined);
    await first.giveBack();
    const second = await lend();
    expect(second.database.pool.listenerCount('error')).toBe(before);
    await second.giveBack();
  });
});
