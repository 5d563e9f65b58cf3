import { nowhere } from '@crm/delivery/testing';
import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { afterAll, describe, expect, it } from 'vitest';
import { definitionsFor } from './system/definitions.ts';
import { newSecrets } from './system/settings.ts';

const stores = definitionsFor({ ...newSecrets(), delivery: nowhere }).map(({ store }) => store);
const database = await freshDatabase(stores);
const cleanup = new AsyncDisposableStack();
afterAll(async () => {
  await cleanup.disposeAsync();
  await database.drop();
});

async function clientAt(connectionString: string) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  cleanup.defer(() => client.end());
  return client;
}

const tablesOf = async (client: pg.Client, which: '=' | '<>', schema: string) => {
  const text = `select n.nspname || '.' || c.relname as name,
      has_schema_privilege(n.oid, 'usage') or has_schema_privilege(n.oid, 'create') as enters,
      has_table_privilege(c.oid, 'select, insert, update, delete, truncate, references, trigger') as reaches
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'S') and n.nspname ${which} $1 and n.nspname = any($2)`;
  const { rows } = await client.query(text, [schema, stores.map((store) => store.schema)]);
  return rows as readonly { name: string; enters: boolean; reaches: boolean }[];
};

describe.each(stores)('the role of $schema in the database, stolen,', async ({ schema }) => {
  const thief = await clientAt(database.urls[schema] ?? '');

  it('reaches the tables of its service, and of no other', async () => {
    const [own, others] = [await tablesOf(thief, '=', schema), await tablesOf(thief, '<>', schema)];
    expect(own.length).toBeGreaterThan(5);
    expect(own.filter(({ reaches }) => !reaches)).toEqual([]);
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter(({ enters, reaches }) => enters || reaches)).toEqual([]);
    for (const { name } of others)
      await expect(thief.query(`select * from ${name} limit 1`), name).rejects.toMatchObject({
        code: '42501',
      });
  });

  it('may do nothing to the server, to other roles, or to what they do', async () => {
    const text = `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
        exists (select from pg_auth_members m where m.member = r.oid) as is_member,
        has_database_privilege(current_database(), 'create') as creates
      from pg_roles r where rolname = current_user`;
    const [rights] = (await thief.query(text)).rows;
    expect(Object.values(rights)).toEqual(Array(7).fill(false));
    const admin = await clientAt(database.adminUrl);
    const [{ pid }] = (await admin.query('select pg_backend_pid() as pid')).rows;
    const seen = await thief.query('select query from pg_stat_activity where pid = $1', [pid]);
    expect(seen.rows).toEqual([{ query: '<insufficient privilege>' }]);
    for (const act of ['pg_cancel_backend', 'pg_terminate_backend'])
      await expect(thief.query(`select ${act}($1)`, [pid])).rejects.toMatchObject({ code: '42501' });
    await expect(thief.query('create table public.mine ()')).rejects.toMatchObject({ code: '42501' });
  });
});
