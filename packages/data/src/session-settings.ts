import type { Client, Pool } from 'pg';
import { clientTo } from './read-write-client.ts';
import { maxIdleMs, maxStatementMs, maxTransactionMs } from './statement-time.ts';

/** Everything that guarantees depend on, because the server, the database or the role may have other defaults. */
const settingsOf = (schema: string): Readonly<Record<string, string>> => ({
  search_path: schema,
  timezone: 'UTC',
  // Times are read as PostgreSQL writes them.
  datestyle: 'ISO',
  // A cursor contains numbers as PostgreSQL writes them, and continues behind them.
  extra_float_digits: '1',
  // Patterns of statements contain backslashes.
  standard_conforming_strings: 'on',
  // A transaction that locks first and reads afterwards has to see what was committed before the lock.
  default_transaction_isolation: 'read committed',
  // What was sent, or published, was committed before. It must not be undone by a crash.
  synchronous_commit: 'on',
  // Timeouts keep one bad statement from blocking others.
  statement_timeout: `${maxStatementMs}ms`,
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: `${maxIdleMs}ms`,
  transaction_timeout: `${maxTransactionMs}ms`,
  // Statements are many, short and prepared: planning them anew costs more than a better plan would save.
  plan_cache_mode: 'force_generic_plan',
  jit: 'off',
  // A page read by an index comes from memory or from an SSD. By default PostgreSQL takes it for four times as expensive as the
  // next page of a table, as on a disk that turns, and reads whole tables that have only a few.
  random_page_cost: '1.1',
});

/** The settings of every connection of a service, as it asks for them when it connects. */
export function settingsFor(schema: string): string {
  return Object.entries(settingsOf(schema))
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');
}

/** For a connection that holds a lock: the server has to notice if the connection is lost. */
export const noticingLoss =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2';

/**
 * Stores the settings for the role of a URL in its database, so that each new connection has them: a pooler does not pass on what
 * its clients ask for when they connect.
 */
export async function keepSettings(url: string, schema: string): Promise<void> {
  const client = clientTo(url, {
    application_name: `crm-${schema}-settings`,
    connectionTimeoutMillis: 5_000,
  });
  try {
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const target = `role current_user in database ${client.escapeIdentifier(rows[0]?.name ?? '')}`;
    const kept = Object.entries(settingsOf(schema)).map(
      ([name, value]) => `alter ${target} set ${name} to ${client.escapeLiteral(value)}`,
    );
    // Of two instances that start together one would fail.
    const lock = `select pg_advisory_xact_lock(hashtext('crm.settings'), hashtext(${client.escapeLiteral(schema)}))`;
    await client.query(['begin', lock, ...kept, 'commit'].join(';'));
  } finally {
    await client.end().catch(() => undefined);
  }
}

const settingsQuery = `select current_setting('search_path') as schema, current_setting('statement_timeout') as timeout,
  current_setting('transaction_isolation') as isolation, current_setting('datestyle') as dates,
  current_setting('synchronous_commit') as commits, current_setting('standard_conforming_strings') as texts,
  current_setting('extra_float_digits')::int as digits, pg_backend_pid() as pid`;

interface Found {
  readonly schema: string;
  readonly timeout: string;
  readonly isolation: string;
  readonly dates: string;
  readonly commits: string;
  readonly texts: string;
  readonly digits: number;
  readonly pid: number;
}

/**
 * Throws if the connections of a pooler lack the settings of the service: statements would find no tables and have no time limit.
 */
export async function demandSettings(pool: Pool, schema: string): Promise<void> {
  const { rows } = await pool.query<Found>(settingsQuery);
  if (!hasSettings(rows[0], schema)) throw new Error(connectedBefore);
}

/** Throws if a connection does not reach the server itself: a pooler has no session for it, and makes up its process id. */
export async function demandSession(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<Found>(settingsQuery);
  // pg does not declare it.
  const { processID } = client as Client & { readonly processID: number };
  if (!hasSettings(rows[0], schema) || rows[0]?.pid !== processID) throw new Error(leadsToPooler);
}

const hasSettings = (found: Found | undefined, schema: string) =>
  found?.schema === schema &&
  found.timeout !== '0' &&
  found.isolation === 'read committed' &&
  found.dates.startsWith('ISO') &&
  found.commits === 'on' &&
  found.texts === 'on' &&
  found.digits > 0;

const connectedBefore =
  'The pooler at DATABASE_POOLER_URL has connections from before this service was first started with it. Send RECONNECT to its console, and make sure that it does not set any of their settings, such as search_path, itself.';

const leadsToPooler =
  'DATABASE_URL points to a pooler that shares sessions. Point it to PostgreSQL itself, and name the pooler in DATABASE_POOLER_URL.';

/** What PgBouncer says of settings that it cannot pass on. */
const unsupported = /unsupported startup parameter/;

/** The error itself or, if a pooler refused a connection that needs a session of its own, one that says what to do. */
export const explained = (error: unknown): unknown =>
  error instanceof Error && unsupported.test(error.message)
    ? new Error(leadsToPooler, { cause: error })
    : error;
