import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, type ControlledTransaction } from 'kysely';
import type { Pool } from 'pg';
import type { z } from 'zod';

/** The tables of one service: its own schema, reached with its own role. */
export interface Store {
  readonly schema: string;
  readonly entities: NonNullable<Options['entities']>;
  readonly migrations: readonly MigrationClass[];
}

export type MigrationClass = NonNullable<NonNullable<Options['migrations']>['migrationsList']>[number];

export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement with bound values. */
export type Query = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/**
 * The rows of one statement, read by a schema, which also gives them their type. Throws when a column is not what the
 * schema says.
 */
export async function queryRows<Schema extends z.ZodType>(
  query: Query,
  schema: Schema,
  text: string,
  values: readonly unknown[],
): Promise<z.output<Schema>[]> {
  return (await query(text, values)).map((row) => schema.parse(row));
}

export interface Database {
  readonly orm: MikroORM;
  /** For reads outside a transaction; statements are prepared once per connection. */
  readonly query: Query;
  readonly pool: Pool;
  close(): Promise<void>;
}

interface Opening {
  readonly url: string;
  readonly store: Store;
  readonly poolSize?: number;
}

/** Opens the pool that entities and plain statements of a service share. Connects with the first query, not before. */
export async function openDatabase({ url, store, poolSize = 10 }: Opening): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: url,
    entities: store.entities,
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    driverOptions: {
      application_name: `crm-${store.schema}`,
      options: settingsFor(store.schema),
      connectionTimeoutMillis: 2_000,
    },
    // Entities are asked for by an actor; without one a guarded entity must throw, not answer everything.
    allowGlobalContext: false,
    debug: false,
    colors: false,
  });
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  return { orm, pool, query: queryOf(pool), close: () => orm.close(true) };
}

/** What every connection of a service starts with. Limits keep one bad statement from holding the others up. */
export function settingsFor(schema: string): string {
  const settings = {
    search_path: schema,
    timezone: 'UTC',
    statement_timeout: '5s',
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '10s',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** The most statements prepared by name. Shapes beyond it are rare ones, and a client could invent them for ever. */
const mostPrepared = 200;

function queryOf(pool: Pool): Query {
  const names = new Map<string, string>();
  return async (text, values) => {
    let name = names.get(text);
    if (!name && names.size < mostPrepared) {
      name = createHash('sha1').update(text).digest('base64url');
      names.set(text, name);
    }
    const { rows } = await pool.query<Row>({ ...(name && { name }), text, values: [...values] });
    return rows;
  };
}

/** Statements with bound values inside the transaction of an entity manager. Throws when there is none. */
export function queryIn(em: EntityManager): Query {
  const transaction = em.getTransactionContext<ControlledTransaction<unknown>>();
  if (!transaction) throw new Error('There is no transaction to run this statement in.');
  return async (text, values) =>
    (await transaction.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}
