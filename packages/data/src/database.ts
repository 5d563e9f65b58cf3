import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, type ControlledTransaction } from 'kysely';
import type { Pool } from 'pg';
import type { z } from 'zod';
import type { Consistency } from './consistency.ts';
import { urlsOf } from './database-url.ts';
import { gatherStatements } from './gather-statements.ts';
import { giveUpSilent } from './give-up-silent.ts';
import { prepareStatements } from './prepare-statements.ts';
import { connectionOf, PreparedDriver } from './prepared-driver.ts';
import { reachOf } from './read-write-client.ts';
import { maxReadMs, stoppableStatements } from './stoppable-statements.ts';

/** The tables of one service, in its own schema and with its own role. */
export interface Store {
  readonly schema: string;
  readonly entities: NonNullable<Options['entities']>;
  readonly migrations: readonly MigrationClass[];
  /** The tables of what leaves the system when it is due. */
  readonly messages?: readonly MessageTable[];
  /** Statements after which nothing that was done since a backup is done again. */
  readonly onRestore?: readonly string[];
  readonly consistency?: Consistency;
}

/** A table of messages, with the columns of their states and reasons, and the state of those that wait. */
export interface MessageTable {
  readonly name: string;
  readonly state: string;
  readonly reason: string;
  readonly waiting: string;
  /** What makes a row `t` due besides its time. */
  readonly isDue?: string;
}

export type MigrationClass = NonNullable<NonNullable<Options['migrations']>['migrationsList']>[number];

export type Row = Readonly<Record<string, unknown>>;

/** Runs one statement with bound values. */
export type Query = (text: string, values: readonly unknown[]) => Promise<readonly Row[]>;

/** The same, but throws Unavailable for a statement that takes longer than so many milliseconds. */
export type LimitedQuery = (text: string, values: readonly unknown[], ms?: number) => Promise<readonly Row[]>;

/**
 * The rows of one statement, parsed and typed by a schema. Throws if a column does not match the schema.
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
  /** For statements outside a transaction. */
  readonly query: LimitedQuery;
  /** The same for reads that a client asks for: throws Unavailable for one that takes longer than a second. */
  readonly read: LimitedQuery;
  readonly pool: Pool;
  close(): Promise<void>;
}

interface Opening {
  readonly url: string;
  readonly store: Store;
  readonly poolSize?: number;
}

/** For connections that wait without a statement, or longer than a statement may take: a lost one ends after 20 s. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Opens the pool that entities and plain statements of a service share. Connects at the first query. */
export async function openDatabase({ url, store, poolSize = 10 }: Opening): Promise<Database> {
  const connection = {
    // MikroORM by itself leaves out what follows `?` in the URL, such as how to encrypt.
    ...reachOf(url),
    application_name: `crm-${store.schema}`,
    options: settingsFor(store.schema),
    connectionTimeoutMillis: 2_000,
    ...keepAlive,
  };
  const orm = await MikroORM.init({
    driver: PreparedDriver,
    clientUrl: urlsOf(url)[0],
    entities: store.entities,
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    // MikroORM opens a first connection before it returns.
    driverOptions: { ...connection, pipeline: true, onPoolCreated: prepare },
    // Entities are read for an actor; without one a guarded entity must throw and not return everything.
    allowGlobalContext: false,
    debug: false,
    colors: false,
  });
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  const stoppable = stoppableStatements(pool, connection);
  return {
    orm,
    pool,
    query: async (text, values, ms = maxStatementMs) =>
      ms < maxStatementMs ? stoppable.run(text, values, ms) : (await pool.query<Row>(text, [...values])).rows,
    read: (text, values, ms = maxReadMs) => stoppable.run(text, values, Math.min(ms, maxReadMs)),
    close: async () => {
      await stoppable.close();
      await orm.close(true);
    },
  };
}

function prepare(pool: Pool) {
  giveUpSilent(pool);
  prepareStatements(pool);
  gatherStatements(pool);
}

const maxStatementMs = 5_000;

/** The settings of every connection of a service. Timeouts keep one bad statement from blocking others. */
export function settingsFor(schema: string): string {
  const settings = {
    search_path: schema,
    timezone: 'UTC',
    statement_timeout: `${maxStatementMs}ms`,
    lock_timeout: '2s',
    idle_in_transaction_session_timeout: '10s',
    // Statements are many, short and prepared: planning them anew costs more than a better plan would save.
    plan_cache_mode: 'force_generic_plan',
    jit: 'off',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/**
 * Runs statements inside the transaction of an entity manager, in the order in which they are given: several that are given
 * together are sent together. Throws if there is none.
 */
export function queryIn(em: EntityManager): Query {
  const transaction = em.getTransactionContext<ControlledTransaction<unknown>>();
  if (!transaction) throw new Error('The entity manager has no transaction.');
  return async (text, values) =>
    (await connectionOf(transaction).executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
}

/**
 * Limits each further statement of a transaction to so many milliseconds, if any may take longer. This costs no round trip:
 * given first, it leaves with `begin` and the statement behind it, which fails with it.
 */
export function limitStatements(em: EntityManager, ms = maxStatementMs): void {
  if (ms >= maxStatementMs) return;
  queryIn(em)("select set_config('statement_timeout', $1, true)", [`${ms}ms`]).catch(() => undefined);
}
