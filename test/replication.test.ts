import { nowhere } from '@crm/delivery/testing';
import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { definitionsFor } from './system/definitions.ts';
import { newSecrets } from './system/settings.ts';

/** Tables, of those with partitions each of these, in which PostgreSQL refuses to change rows while all tables are published. */
const unidentified = `select c.oid::regclass::text as name from pg_class c
  where c.relkind = 'r' and c.relnamespace::regnamespace::text = any($1) and c.relreplident <> 'f' and not exists (
    select from pg_index i
    where i.indrelid = c.oid and case c.relreplident when 'i' then i.indisreplident else i.indisprimary end)`;

it('each table may be replicated logically, as for an upgrade of a managed server', async () => {
  const stores = definitionsFor({ ...newSecrets(), delivery: nowhere }).map(({ store }) => store);
  const database = await freshDatabase(stores);
  onTestFinished(database.drop);
  const client = new pg.Client({ connectionString: database.adminUrl });
  await client.connect();
  onTestFinished(() => client.end());
  const schemas = stores.map(({ schema }) => schema);
  const tables = await client.query('select from pg_tables where schemaname = any($1)', [schemas]);
  expect(tables.rowCount).toBeGreaterThan(50);
  expect((await client.query(unidentified, [schemas])).rows).toEqual([]);
});
