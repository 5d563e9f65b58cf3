import pg from 'pg';

/** Tables that describe the schema rather than its contents. */
const lasting = ['migrations', 'mikro_orm_migrations'];

const deadlocks = new Set(['40P01', '55P03']);
const attempts = 5;

export interface Wiper {
  /** Restores the initial rows of the schemas. Sequences are not reset, so an id is never used twice. */
  wipe(): Promise<void>;
  /** Whether the schemas still have their initial tables, columns, triggers, functions and statistics. */
  isUnaltered(): Promise<boolean>;
  close(): Promise<void>;
}

/** Makes a database usable for the next test file, over a separate connection. Some tables may be left unchanged. */
export async function wiper(
  schemas: readonly string[],
  adminUrl: string,
  left: readonly string[] = [],
): Promise<Wiper> {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => undefined); // A broken connection also fails the next statement.
  await client.connect();
  const tables = await copied(client, schemas, [...lasting, ...left]);
  const filled = await filledAmong(client, tables);
  const restore = filled.map(
    ({ name, copy }) => `insert into ${name} overriding system value table beginning.${copy};`,
  );
  const empty = emptying(
    tables.map(({ name }) => name),
    schemas.includes('identity'),
  );
  const alteration = async () => (await client.query(alterationQuery(schemas))).rows[0].hash;
  const first = await alteration();
  return {
    isUnaltered: async () => (await alteration()) === first,
    async wipe() {
      for (let attempt = 1; ; attempt++) {
        try {
          await client.query(`begin; set local lock_timeout = '2s'; ${empty} ${restore.join('')} commit`);
          return;
        } catch (error) {
          await client.query('rollback');
          // A worker held locks in another order.
          if (attempt === attempts || !(error instanceof pg.DatabaseError && deadlocks.has(error.code ?? '')))
            throw error;
        }
      }
    },
    close: () => client.end(),
  };
}

interface Table {
  readonly name: string;
  readonly copy: string;
}

/** The tables, each with its copy in the schema `beginning`. */
async function copied(
  client: pg.Client,
  schemas: readonly string[],
  left: readonly string[],
): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select format('%I.%I', schemaname, tablename) as name, schemaname || '_' || tablename as copy from pg_tables
     where schemaname = any($1) and not tablename = any($2)
     and not (select relispartition from pg_class where oid = format('%I.%I', schemaname, tablename)::regclass)`,
    [schemas, left],
  );
  await client.query(
    `create schema beginning;
     ${rows.map(({ name, copy }) => `create table beginning.${copy} as table ${name};`).join('')}`,
  );
  return rows;
}

/** Those that the migrations have filled. */
async function filledAmong(client: pg.Client, tables: readonly Table[]): Promise<Table[]> {
  const each = tables.map(
    ({ name, copy }) => `select '${name}' as name, '${copy}' as copy where exists (table beginning.${copy})`,
  );
  return (await client.query<Table>(each.join(' union all '))).rows;
}

/** Truncating creates new files for a table and each of its indexes, so it is used only for tables with many rows. */
const emptying = (tables: readonly string[], hasRights: boolean) => `
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
    ${hasRights ? rightsOver : ''}
  end $$;`;

const rightsOver = `-- No trigger has told the services that what they know of anybody's rights is over.
    update identity.rights set version = gen_random_uuid();`;

function alterationQuery(schemas: readonly string[]): string {
  const own = `select oid from pg_namespace where nspname in (${schemas.map((name) => `'${name}'`)})`;
  const relations = `select oid from pg_class where relnamespace in (${own})`;
  return `select md5(string_agg(fact, ' ' order by fact)) as hash from (
    select format('relation %s %s %s', oid, relname, reltuples) as fact from pg_class where relnamespace in (${own})
    union all select format('column %s %s %s %s %s', attrelid, attnum, attname, attnotnull, atttypid)
      from pg_attribute where attrelid in (${relations})
    union all select format('trigger %s %s', oid, tgenabled) from pg_trigger where tgrelid in (${relations})
    union all select format('constraint %s', oid) from pg_constraint where connamespace in (${own})
    union all select format('function %s %s', oid, md5(prosrc)) from pg_proc where pronamespace in (${own})
  ) facts`;
}
