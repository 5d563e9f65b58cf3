import type { ServiceDefinition } from '@crm/service';
import pg from 'pg';

type Row = Readonly<Record<string, unknown>>;

export interface PublishedEvent {
  readonly type: string;
  readonly subject: string;
  readonly actor: string;
  readonly requestid: string;
  readonly aggregateversion: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The database as nobody but a test sees it. */
export interface PastTheRules {
  rows(service: string, sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The events that the transactions of a service left, oldest first. */
  published(service: string): Promise<readonly PublishedEvent[]>;
  /** A print of every table, once all that was said has been heard: equal before and after where nothing was changed, and else it tells which one was. */
  contents(): Promise<Readonly<Record<string, string>>>;
  /** All that is stored in any table of any service, as text. */
  everything(): Promise<string>;
  /** Returns when every event has had its effect on all who listen to it. */
  settled(): Promise<void>;
}

/** What changes by itself, without anybody having written. */
const restless = ['migrations', 'mikro_orm_migrations', 'inbox', 'signing_keys', 'access_tokens'];

export function pastTheRules(
  definitions: readonly ServiceDefinition[],
  adminUrl: string,
): PastTheRules & { close(): Promise<void> } {
  const pools = new Map(definitions.map(({ name, store: { schema } }) => [name, poolFor(adminUrl, schema)]));
  const rows: PastTheRules['rows'] = async (service, sql, values = []) => {
    const pool = pools.get(service);
    if (!pool) throw new Error(`There is no service «${service}».`);
    return (await pool.query<Row>(sql, [...values])).rows;
  };
  let print: string | undefined;
  const settled = async () => {
    for (const definition of definitions) await everythingHeard(rows, definition);
  };
  return {
    rows,
    published: async (service) => {
      const events = await rows(service, 'select payload from outbox order by id');
      return events.map(({ payload }) => payload as PublishedEvent);
    },
    async contents() {
      // What an earlier request caused elsewhere is no change that the next one makes.
      await settled();
      const [{ name: first } = { name: '' }] = definitions;
      const schemas = definitions.map(({ store }) => store.schema);
      print ??= await printQuery(rows, first, schemas);
      const prints = await rows(first, print);
      return Object.fromEntries(prints.map(({ name, print }) => [String(name), String(print)]));
    },
    async everything() {
      const dumps = definitions.map(({ name, store }) => dumpOf(rows, name, store.schema));
      return (await Promise.all(dumps)).join('\n');
    },
    settled,
    close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.end()))),
  };
}

function poolFor(url: string, schema: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 3, options: `-c search_path=${schema}` });
  pool.on('error', () => undefined); // The database is dropped under it in the end.
  return pool;
}

async function dumpOf(rows: PastTheRules['rows'], service: string, schema: string): Promise<string> {
  const tables = await rows(service, 'select tablename from pg_tables where schemaname = $1', [schema]);
  const dumps = tables.map(({ tablename }) => rows(service, `select t::text as row from ${tablename} t`));
  return (await Promise.all(dumps))
    .flat()
    .map(({ row }) => String(row))
    .join('\n');
}

async function printQuery(rows: PastTheRules['rows'], service: string, schemas: readonly string[]) {
  const tables = await rows(
    service,
    `select table_schema as schema, table_name as name from information_schema.tables
     where table_schema = any($1) and table_type = 'BASE TABLE' and table_name <> all($2)`,
    [schemas, restless],
  );
  return tables
    .map(({ schema, name }) => {
      // A row of the outbox is marked when it is sent; that it is there is all that counts.
      const value = name === 'outbox' ? 't.event_id::text' : 't::text';
      const print = `count(*) || ' rows ' || coalesce(md5(string_agg(${value}, '|' order by ${value})), '')`;
      return `select '${schema}.${name}' as name, ${print} as print from ${schema}.${name} t`;
    })
    .join(' union all ');
}

async function everythingHeard(rows: PastTheRules['rows'], { name, subscriptions }: ServiceDefinition) {
  for (const { event } of subscriptions) {
    const spoken = event.service.replaceAll('-', '_');
    const unheard = () =>
      rows(
        name,
        `select o.event_id from ${spoken}.outbox o where o.subject = $1
         and not exists (select from inbox i where i.event_id = o.event_id)`,
        [`crm.${event.name}`],
      );
    const deadline = performance.now() + 10_000;
    while ((await unheard()).length > 0) {
      if (performance.now() > deadline) throw new Error(`${name} never heard of ${event.name}.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
