import { glob, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedServer, removeAbandoned, startNats, startPostgres } from '@crm/embedded';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { limitCompileCache } from './compile-cache.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    natsUrl: string;
  }
}

interface Servers {
  postgres(): Promise<string>;
  nats(): Promise<string>;
}

const runPrefix = 'crm-test-run-';
const disconnectTimeoutMs = 30_000;

/** Test databases do not outlive the run, so writes need not reach the disk. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Each table that is emptied is searched for in all buffers.
  shared_buffers: '128MB',
  // Test processes keep the pools of their shared systems and databases while further files open their own.
  max_connections: '600',
  // Databases are short-lived, and autovacuum would start processes for each of them.
  autovacuum: 'off',
  // Data is in memory, so no processes need to read ahead.
  io_method: 'sync',
  // Each connection takes the time for them, and no password here has to withstand guessing.
  scram_iterations: '1',
};
const containerSettings = { ...fastSettings, timezone: 'UTC' };

/** Starts one PostgreSQL and one NATS for the whole run, unless URLs of running ones are given. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await limitCompileCache();
  const started = new AsyncDisposableStack();
  try {
    const servers = await serversOf(process.env.TEST_INFRA || 'embedded', started);
    const [postgresUrl, natsUrl] = await settled([
      process.env.TEST_DATABASE_URL || servers.postgres(),
      process.env.TEST_NATS_URL || servers.nats(),
    ]);
    project.provide('postgresUrl', postgresUrl);
    project.provide('natsUrl', natsUrl);
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
  return () => started.disposeAsync();
}

/**
 * Resolves when no client is connected to this PostgreSQL any longer. Vitest stops the servers without waiting for its test
 * processes to end, and these still need the database for their cleanup.
 */
async function disconnected(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const others = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
  const deadline = performance.now() + disconnectTimeoutMs;
  while ((await client.query(others)).rowCount && performance.now() < deadline) await sleep(20);
  await client.end();
}

/** Waits for both even if one fails, so that the other is stopped too. */
async function settled(urls: [string | Promise<string>, string | Promise<string>]) {
  await Promise.allSettled(urls);
  return Promise.all(urls);
}

async function serversOf(infra: string, started: AsyncDisposableStack): Promise<Servers> {
  if (infra === 'embedded') return embedded(started);
  if (infra === 'containers') return containers(started);
  throw new Error(
    `TEST_INFRA must be "embedded" (the default) or "containers", not "${infra}". To use running servers, set TEST_DATABASE_URL and TEST_NATS_URL.`,
  );
}

async function embedded(started: AsyncDisposableStack): Promise<Servers> {
  await removeOlderRuns();
  const dataDir = await mkdtemp(join(tmpdir(), runPrefix));
  started.defer(() => rm(dataDir, { recursive: true }));
  const urlOf = async (starting: Promise<EmbeddedServer>) => {
    const server = await starting;
    started.defer(server.stop);
    return server.url;
  };
  return {
    postgres: async () => {
      const url = await urlOf(startPostgres({ dataDir, settings: fastSettings }));
      started.defer(() => disconnected(url));
      return url;
    },
    nats: () => urlOf(startNats({ dataDir, syncInterval: '2m' })),
  };
}

/** A killed run leaves its servers behind. A run that has just started may not own its folder yet. */
async function removeOlderRuns() {
  for await (const name of glob(`${runPrefix}*`, { cwd: tmpdir() })) {
    const dataDir = join(tmpdir(), name);
    // Another run may be removing it, or may be ending itself.
    const found = await stat(dataDir).catch(() => undefined);
    const isOurs = found?.uid === process.getuid?.();
    if (found && isOurs && Date.now() - found.mtimeMs > 60_000) await removeAbandoned(dataDir);
  }
}

async function containers(started: AsyncDisposableStack): Promise<Servers> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const start = async (container: InstanceType<typeof GenericContainer>, port: number) => {
    const running = await container.withExposedPorts(port).start();
    started.defer(async () => {
      await running.stop();
    });
    return `${running.getHost()}:${running.getMappedPort(port)}`;
  };
  return {
    async postgres() {
      const container = new GenericContainer(process.env.POSTGRES_IMAGE || 'postgres:18.6')
        .withEnvironment({
          POSTGRES_USER: 'crm',
          POSTGRES_PASSWORD: 'crm',
          // The same sort order as in the embedded server.
          POSTGRES_INITDB_ARGS:
            '--locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 --encoding=UTF8',
        })
        .withCommand(Object.entries(containerSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]))
        // It first starts for its setup and then stops again.
        .withWaitStrategy(Wait.forLogMessage(/ready to accept connections/, 2));
      const url = `postgres://crm:crm@${await start(container, 5432)}/crm`;
      started.defer(() => disconnected(url));
      return url;
    },
    async nats() {
      const container = new GenericContainer(process.env.NATS_IMAGE || 'nats:2.14.3')
        .withCommand(['-js'])
        .withWaitStrategy(Wait.forLogMessage(/Server is ready/));
      return `nats://${await start(container, 4222)}`;
    },
  };
}
