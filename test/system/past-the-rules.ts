import type { ServiceDefinition } from '@crm/service';
import type { PublishedEvent } from '@crm/service/testing';
import pg from 'pg';
import { printQuery } from './table-prints.ts';

type Row = Readonly<Record<string, unknown>>;

/** Direct access to the database, without visibility rules. */
export interface PastTheRules {
  rows(service: string, sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** The events in the outbox of a service, oldest first. */
  published(service: string): Promise<readonly PublishedEvent[]>;
  /** A checksum of every table, once all events are handled. Tells which tables a request has changed. */
  contents(): Promise<Readonly<Record<string, string>>>;
  /** The contents of all tables of all services, as text. */
  everything(): Promise<string>;
  /** Returns when every event was handled by all its consumers. */
  settled(): Promise<void>;
}

/** Has the workers of all services of a database look for what is due. */
export const wakeWorkers = "select pg_notify('outbox_' || oid, '') from pg_class where relname = 'outbox'";

export function pastTheRules(
  definitions: readonly ServiceDefinition[],
  adminUrl: string,
): PastTheRules & { close(): Promise<void> } {
  const [{ name: first } = { name: '' }] = definitions;
  const pools = new Map(definitions.map(({ name, store: { schema } }) => [name, poolFor(adminUrl, schema)]));
  const poolOf = (service: string) => {
    const pool = pools.get(service);
    if (!pool) throw new Error(`There is no service "${service}".`);
    return pool;
  };
  const rows: PastTheRules['rows'] = async (service, sql, values = []) => {
    const found = await poolOf(service).query<Row>(sql, [...values]);
    // As a request that changes rows does, because workers look for what is due only then and at the next due time they know.
    if (found.command !== 'SELECT') await poolOf(service).query(wakeWorkers);
    return found.rows;
  };
  // These two look at all tables and are asked thousands of times, so they are not planned each time.
  const prepared = async (name: string, text: string) =>
    (await poolOf(first).query<Row>({ name, text })).rows;
  let print: string | undefined;
  const unhandled = `select error from (${unhandledQuery(definitions)}) u limit 1`;
  const settled = () => allHandled(() => prepared('unhandled', unhandled));
  return {
    rows,
    published: async (service) => {
      const events = await rows(service, 'select payload from outbox order by id');
      return events.map(({ payload }) => payload as PublishedEvent);
    },
    async contents() {
      // The effects of an earlier request must not count as changes of the next one.
      await settled();
      const schemas = definitions.map(({ store }) => store.schema);
      print ??= await printQuery((sql, values) => rows(first, sql, values), schemas);
      const prints = await prepared('print', print);
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

async function allHandled(findUnhandled: () => Promise<readonly Row[]>): Promise<void> {
  const deadline = performance.now() + 25_000;
  for (;;) {
    const [one] = await findUnhandled();
    if (!one) return;
    if (performance.now() > deadline) throw new Error(String(one.error));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** To start parallel workers or a compiler takes longer than to read all tables. */
const withoutHelpers = '-c max_parallel_workers_per_gather=0 -c jit=off';

function poolFor(url: string, schema: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 3,
    options: `-c search_path=${schema} ${withoutHelpers}`,
  });
  pool.on('error', () => undefined); // The database is dropped while the pool is open.
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

/** What a worker writes soon after a request. */
const unfinished = [
  `select 'A removed hotness is still on contacts.' as error from contacts.hotnesses h
   where removed_at is not null and exists (select from contacts.contacts where hotness_id = h.id)`,
  `select 'A removed contact source is still on contacts.' as error from contacts.contact_sources s
   where removed_at is not null and exists (select from contacts.contacts where source_id = s.id)`,
  `select 'What an ended delegation has led to is not undone.' as error from contacts.delegations
   where undo_due_at is not null`,
  `select 'A contact in a campaign is not scheduled.' from campaigns_templates.campaign_contacts c
   where scheduled_at is null and exists (select from campaigns_templates.campaigns where id = c.campaign_id)`,
];

/**
 * SQL for what is still to be done because of earlier requests: the events that a consumer has not handled, for the
 * most part.
 */
function unhandledQuery(definitions: readonly ServiceDefinition[]): string {
  const consumptions = definitions.flatMap(({ name, store: { schema }, subscriptions }) =>
    [...Map.groupBy(subscriptions, ({ event }) => event.service)].map(([publisher, ones]) => {
      const subjects = ones.map(({ event }) => `'crm.${event.name}'`);
      return `select '${name} has not handled ' || o.subject || '.' as error
        from ${publisher.replaceAll('-', '_')}.outbox o where o.subject in (${subjects})
        and not exists (select from ${schema}.inbox i where i.event_id = o.event_id)`;
    }),
  );
  return [...consumptions, ...unfinished].join(' union all ');
}
