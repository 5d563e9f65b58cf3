import { Client } from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { createService, rename, type TestService } from '../test/rig.ts';
import { keepPartitions } from './keep-partitions.ts';
import { partitionedMessagingTables, partitionedTables } from './partitioned-tables.ts';

/** What an instance of the version before sends, word for word. */
const before = {
  insert: `insert into outbox (event_id, subject, payload)
    select (payload ->> 'id')::uuid, payload ->> 'type', payload
    from jsonb_array_elements($1::jsonb) with ordinality event (payload, position) order by position`,
  pending:
    'select id, event_id, subject, payload from outbox where published_at is null order by id limit $1',
  mark: `update outbox set published_at = (
      select greatest(clock_timestamp(), max(published_at) + interval '1 microsecond')
      from outbox where published_at is not null
    ) where id = any($1::bigint[])`,
  enter: `insert into inbox (consumer, event_id) select $1, $2::uuid on conflict do nothing returning event_id`,
  prune: `delete from outbox where id in (
    select id from outbox where published_at < now() - interval '15 days' order by published_at limit 5000)`,
  pruneInbox: `delete from inbox where (consumer, event_id) in (
    select consumer, event_id from inbox where received_at < now() - interval '28 days' order by received_at limit 5000)`,
  republish: 'update outbox set published_at = null where published_at is not null',
};

/** An instance of the version before, which has prepared its statements. */
async function instanceOf({ url }: TestService) {
  const client = new Client(url);
  await client.connect();
  await client.query("set lock_timeout = '2s'; set plan_cache_mode = force_generic_plan");
  onTestFinished(() => client.end());
  return (name: keyof typeof before, values: unknown[] = []) =>
    client.query({ name, text: before[name], values });
}

const ids = async ({ pool }: TestService, where = 'true') =>
  (await pool.query<{ id: string }>(`select id from outbox where ${where} order by id`)).rows.map(({ id }) =>
    Number(id),
  );

it('converting the tables does not interrupt an older instance', async () => {
  const service = await createService('converted', { isPartitioned: false });
  const { pool } = service;
  for (const id of [1, 2, 3]) await rename(service, { id });
  const run = await instanceOf(service);
  const events = () => JSON.stringify([{ id: crypto.randomUUID(), type: 'a.b.c' }]);
  const published = await run('mark', [[1, 2]]);
  expect(published.rowCount).toBe(2);
  const { rows } = await pool.query('select event_id from outbox where id = 1');
  expect((await run('enter', ['one', rows[0].event_id])).rowCount).toBe(1);
  for (const name of ['prune', 'pruneInbox'] as const) await run(name);
  await run('pending', [10]);

  let isConverted = false;
  const writing = (async () => {
    let written = 0;
    for (; !isConverted || written < 20; written++) await run('insert', [events()]);
    return written;
  })();
  await pool.query(partitionedMessagingTables);
  await keepPartitions(new Client(service.url), partitionedTables(400));
  isConverted = true;
  const written = await writing;

  const all = await ids(service);
  expect(all).toHaveLength(3 + written);
  expect(new Set(all).size).toBe(all.length);
  expect((await run('pending', [all.length])).rows.map(({ id }) => Number(id))).toEqual(
    await ids(service, 'published_at is null'),
  );
  expect((await run('enter', ['one', rows[0].event_id])).rowCount, 'was handled before').toBe(0);
  await run('mark', [all]);
  expect(await ids(service, 'published_at is null')).toEqual([]);
  await pool.query("update outbox set published_at = now() - interval '15 days 1 hour' where id <= 2");
  await run('prune');
  expect(await ids(service)).toEqual(all.slice(2));
  await run('republish');
  expect(await ids(service, 'published_at is null')).toEqual(all.slice(2));
  await rename(service, { id: 4 });
  expect((await ids(service)).at(-1)).toBe((all.at(-1) ?? 0) + 1);
});
