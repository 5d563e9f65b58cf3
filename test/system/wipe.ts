import type { ServiceDefinition } from '@crm/service';
import pg from 'pg';

/** Tables that describe the service itself rather than what it was asked to store. */
const lasting = ['migrations', 'mikro_orm_migrations', 'rights', 'signing_keys'];

const deadlocks = new Set(['40P01', '55P03']);
const attempts = 5;

/**
 * Returns a function that restores the rows that the database holds now. Sequences are not reset, so an id is never
 * used twice.
 */
export async function wiper(
  definitions: readonly ServiceDefinition[],
  adminUrl: string,
): Promise<() => Promise<void>> {
  const within = async (sql: string) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const schemas = definitions.map(({ store }) => `'${store.schema}'`);
  const { rows: tables } = await within(
    `select format('%I.%I', schemaname, tablename) as name, schemaname || '_' || tablename as copy from pg_tables
     where schemaname in (${schemas}) and tablename not in (${lasting.map((name) => `'${name}'`)})
     and not (select relispartition from pg_class where oid = format('%I.%I', schemaname, tablename)::regclass)`,
  );
  await within(
    `create schema beginning;
     ${tables.map(({ name, copy }) => `create table beginning.${copy} as table ${name};`).join('')}`,
  );
  const { rows: filled } = await within(
    tables
      .map(
        ({ name, copy }) =>
          `select '${name}' as name, '${copy}' as copy where exists (table beginning.${copy})`,
      )
      .join(' union all '),
  );
  const names = tables.map(({ name }) => name);
  const wipe = `${emptying(names)}
    ${filled.map(({ name, copy }) => `insert into ${name} overriding system value table beginning.${copy};`).join('')}`;
  return async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        await within(`begin; set local lock_timeout = '2s'; ${wipe} commit`);
        return;
      } catch (error) {
        // A worker held locks in another order.
        if (attempt === attempts || !(error instanceof pg.DatabaseError && deadlocks.has(error.code ?? '')))
          throw error;
      }
    }
  };
}

/** Truncating makes new files for a table and each of its indexes, so that only tables with many rows are. */
const emptying = (tables: readonly string[]) => `
  do $$
  declare
    filled text;
    is_large boolean;
  begin
    set local session_replication_role = replica;
    foreach filled in array array[${tables.map((name) => `'${name}'`)}] loop
      execute format('select exists (select from %s offset 5000)', filled) into is_large;
      if is_large then
        truncate ${tables};
        exit;
      end if;
      execute format('delete from %s', filled);
    end loop;
    set local session_replication_role = origin;
    -- No trigger has told the services that what they know of anybody's rights is over.
    update identity.rights set version = gen_random_uuid();
  end $$;`;
