import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { ServerTrace, StopSignals } from './owned-process.ts';
import { postgresBinaries } from './postgres-binaries.ts';
import { createCluster, dataOf, isComplete, owner, passwordOf, realDataOf } from './postgres-folder.ts';
import { type EmbeddedServer, folderOf, type ServerOptions, startServer } from './start-server.ts';
import { unprivilegedAccount } from './unprivileged-account.ts';

export interface PostgresOptions extends ServerOptions {
  /** Settings of `postgresql.conf` that override the defaults. */
  readonly settings?: Record<string, string> | undefined;
}

/** Personal data must not reach the log: neither failed statements nor the rows that they failed on. */
const defaultSettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_statement: 'none',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  max_connections: '200',
  shared_buffers: `${buffersMiB()}MB`,
  fsync: 'on',
};

/**
 * An eighth of the memory, because the services need some as well; at most 2 GiB, because without huge pages each connection
 * keeps page table entries for everything it has read. The memory is allocated as it is used.
 */
function buffersMiB(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(Math.max(bytes / 8 / 2 ** 20, 128), 2048));
}

/** Fast shutdown, then without a checkpoint, then forced. */
const stopSignals: StopSignals = [
  ['SIGINT', 10],
  ['SIGQUIT', 5],
  ['SIGKILL', 5],
];

/** A real PostgreSQL on 127.0.0.1; the URL is that of its superuser and the database `crm`. */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedServer> {
  const folder = folderOf(resolve(options.dataDir), 'postgres');
  const settings = { ...defaultSettings, ...options.settings };
  const account = unprivilegedAccount();
  const binaries = postgresBinaries(account);
  return startServer(
    {
      name: 'PostgreSQL',
      trace: postgresTrace(folder),
      async prepare() {
        if (isComplete(folder)) return;
        await createCluster({ folder, account, isDisposable: settings.fsync === 'off' }, binaries);
      },
      async command(port) {
        const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
        const args = ['-D', realDataOf(folder), '-p', String(port), ...flags];
        return { file: binaries.postgres, args, ...account };
      },
      greet: (port) => greet(`postgres://${owner}:${passwordOf(folder)}@127.0.0.1:${port}/`),
    },
    folder,
    options,
  );
}

export function postgresTrace(folder: string): ServerTrace {
  const work = { program: 'postgres', path: realDataOf(folder) };
  return { work, pidFiles: [join(dataOf(folder), 'postmaster.pid')], stopSignals };
}

async function greet(server: string): Promise<{ url: string; version: string } | 'recovering' | undefined> {
  const url = `${server}${owner}`;
  const version = await queried(url, 'show server_version');
  if (version === 'recovering') return version;
  if (version === 'no database') {
    await queried(`${server}postgres`, `create database ${owner}`);
    return greet(server);
  }
  return version === undefined ? undefined : { url, version };
}

/** Not listening yet, or slow; a slow one may also be another program on the port that does not respond. */
const notReady = new Set<unknown>(['ECONNREFUSED', 'ECONNRESET', 'timeout expired']);

async function queried(url: string, sql: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  // Without this handler, a server that exits during the query would end this process too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return String(rows[0]?.[0] ?? '');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = 'code' in error ? error.code : error.message;
    if (code === '3D000') return 'no database';
    if (code === '57P03') return 'recovering';
    if (notReady.has(code)) return undefined;
    throw error;
  } finally {
    await client.end();
  }
}
