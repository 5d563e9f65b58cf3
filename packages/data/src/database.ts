import type { Migration } from '@mikro-orm/migrations';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM, type Options } from '@mikro-orm/postgresql';
import { CompiledQuery, type ControlledTransaction } from 'kysely';
import type pg from 'pg';
import type { Pool } from 'pg';
import type { Consistency } from './consistency.ts';
import { throughPooler, urlsOf } from './database-url.ts';
import { demandCommits } from './demand-commits.ts';
import { gatherStatements } from './gather-statements.ts';
import { giveUpSilent } from './give-up-silent.ts';
import { doesKeepNames, type Naming, prepareStatements } from './prepare-statements.ts';
import { connectionOf, PreparedDriver } from './prepared-driver.ts';
import type { LimitedQuery, Query, Row } from './query.ts';
import { clientTo, reachOf } from './read-write-client.ts';
import { demandSettings, settingsFor } from './session-settings.ts';
import { maxStatementMs } from './statement-time.ts';
import { maxReadMs, stoppableStatements } from './stoppable-statements.ts';
import { traceStatement } from './trace-statement.ts';

/** The tables of one service, in its own schema and with its own role. */
export interface Store {
  readonly schema: string;
  readonly entities: NonNullable<Options['entities']>;
  readonly migrations: readonly MigrationStep[];
  /** The tables of what leaves the system when it is due. */
  readonly messages?: readonly MessageTable[];
  /**
   * Statements after which nothing that was done since a backup is done again. They may be repeated. The rows that they return
   * are withheld.
   */
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
  /** Whether only its queue can tell, when a row is due, if a restoration withholds it. */
  readonly isWithheldWhenDue?: true;
}

/** The type of its messages, as the audit log and the command name it: `lead-alert` of `lead_alerts`. */
export const messageTypeOf = ({ name }: MessageTable): string => name.replaceAll('_', '-').replace(/s$/, '');

/** A migration. It is loaded when it is to be applied, because most starts apply none. */
export interface MigrationStep {
  readonly name: string;
  /** Its class is the only export. */
  readonly load: () => Promise<Readonly<Record<string, MigrationClass>>>;
}

type MigrationClass = new (...given: ConstructorParameters<typeof Migration>) => Migration;

export interface Database {
  readonly orm: MikroORM;
  /** For statements outside a transaction. */
  readonly query: LimitedQuery;
  /** The same for reads that a client asks for: throws Unavailable for one that takes longer than a second. */
  readonly read: LimitedQuery;
  readonly pool: Pool;
  /** Its tables of messages. */
  readonly messages: readonly MessageTable[];
  /** Whether statements are prepared, which a pooler may not allow. */
  readonly doesPrepare: boolean;
  /** A connection to the server itself, which is not connected yet, for what needs a session. */
  ownConnection(): pg.Client;
  close(): Promise<void>;
}

interface Opening {
  readonly url: string;
  /** A pooler in front of the server that shares its sessions by transactions, without a role. */
  readonly poolerUrl?: string | undefined;
  readonly store: Store;
  readonly poolSize?: number;
}

/** For connections that wait without a statement, or for longer than a statement may take: a lost one is closed after 20 s. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** Opens the pool that entities and plain statements of a service share. Throws if its connections cannot be used. */
export async function openDatabase(opening: Opening): Promise<Database> {
  const { url, poolerUrl, store } = opening;
  const naming = { doesPrepare: true };
  const connection = {
    application_name: `crm-${store.schema}`,
    connectionTimeoutMillis: 2_000,
    ...keepAlive,
  };
  const own = { ...connection, options: settingsFor(store.schema) };
  const pooledUrl = poolerUrl === undefined ? url : throughPooler(url, poolerUrl);
  const orm = openPool(pooledUrl, poolerUrl === undefined ? own : connection, opening, naming);
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  if (poolerUrl !== undefined) {
    const isUsable = demandSettings(pool, store.schema).then(() => doesKeepNames(pool));
    naming.doesPrepare = await isUsable.catch(async (error) => {
      await orm.close(true);
      throw error;
    });
  }
  const runWithin = stoppableStatements(pool);
  return {
    orm,
    pool,
    messages: store.messages ?? [],
    doesPrepare: naming.doesPrepare,
    ownConnection: () => clientTo(url, own),
    query: (text, values, ms = maxStatementMs) =>
      traceStatement(text, async () =>
        ms < maxStatementMs ? runWithin(text, values, ms) : (await pool.query<Row>(text, [...values])).rows,
      ),
    read: (text, values, ms = maxReadMs) =>
      traceStatement(text, () => runWithin(text, values, Math.min(ms, maxReadMs))),
    close: () => orm.close(true),
  };
}

function openPool(
  url: string,
  connection: pg.ClientConfig,
  { store, poolSize = 10 }: Opening,
  naming: Naming,
) {
  // Not by `init`, which also looks for extensions of MikroORM that are not installed.
  return new MikroORM({
    driver: PreparedDriver,
    clientUrl: urlsOf(url)[0],
    entities: store.entities,
    pool: { min: 0, max: poolSize, idleTimeoutMillis: 30_000 },
    driverOptions: {
      // MikroORM by itself leaves out what follows `?` in the URL, such as how to encrypt.
      ...reachOf(url),
      ...connection,
      pipeline: true,
      // MikroORM opens a first connection before it returns the pool.
      onPoolCreated: (pool: Pool) => {
        giveUpSilent(pool);
        prepareStatements(pool, naming);
        gatherStatements(pool);
        demandCommits(pool);
      },
    },
    // Entities are read for an actor; without one a guarded entity must throw and not return everything.
    allowGlobalContext: false,
    debug: false,
    colors: false,
  });
}

/**
 * Runs statements inside the transaction of an entity manager, in the order in which they are given: several that are given
 * together are sent together. Throws if there is none.
 */
export function queryIn(em: EntityManager): Query {
  const transaction = em.getTransactionContext<ControlledTransaction<unknown>>();
  if (!transaction) throw new Error('The entity manager has no transaction.');
  const send = async (text: string, values: readonly unknown[]) =>
    (await connectionOf(transaction).executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;
  return (text, values) => traceStatement(text, () => send(text, values));
}

/**
 * Limits each further statement of a transaction to `ms` milliseconds, if any may take longer. This costs no round trip: called
 * first, it is sent with `begin` and the statement after it, which fails with it.
 */
export function limitStatements(em: EntityManager, ms = maxStatementMs): void {
  if (ms >= maxStatementMs) return;
  queryIn(em)("select set_config('statement_timeout', $1, true)", [`${ms}ms`]).catch(() => undefined);
}
