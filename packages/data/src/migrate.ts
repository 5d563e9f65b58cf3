import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '@crm/contract';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { createSchema } from './create-schema.ts';
import { keepAlive, type MigrationStep, type Store } from './database.ts';
import { urlsOf } from './database-url.ts';
import { demandServer, explainedByVersion } from './demand-server.ts';
import { clientTo, reachOf } from './read-write-client.ts';
import { type Unfinished, unfinishedIn } from './restoration.ts';
import { demandSession, explained, noticingLoss, settingsFor } from './session-settings.ts';

/**
 * Migrates the schema of a service. Instances that start together wait for each other, and an interrupted migration leaves
 * nothing behind, because all of them run in one transaction. An instance with nothing to migrate waits for nobody. Returns the
 * names of the applied migrations. Throws for a schema that lacks what this version needs, or on which a command is unfinished,
 * unless the migration is part of that command.
 */
export async function migrate(
  url: string,
  store: Store,
  { during }: { readonly during?: Unfinished } = {},
): Promise<string[]> {
  const client = clientTo(url, {
    application_name: `crm-${store.schema}-migrate`,
    options: `${settingsFor(store.schema)} ${noticingLoss}`,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    ...keepAlive,
  });
  try {
    await client.connect().catch((error) => {
      throw explainedByVersion(explained(error));
    });
    await demandSession(client, store.schema);
    const unfinished = await unfinishedIn(client, store.schema);
    if (unfinished !== undefined && unfinished !== during) throw toBeRepeated(store.schema, unfinished);
    const applied = await appliedIn(client, store.schema);
    refuseNewer(store, applied);
    if (store.migrations.every(({ name }) => applied.has(name))) return [];
    await demandServer(client);
    await lock(client, store.schema);
    await createSchema(client, store.schema);
    return await applyPatiently(url, store);
  } finally {
    await endOrDestroy(client);
  }
}

const toBeRepeated = (schema: string, command: Unfinished) =>
  new Error(`A command was interrupted in the schema "${schema}". Repeat \`crm ${command}\`.`);

const undefinedTable = '42P01';

async function appliedIn(client: pg.Client, schema: string): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await client.query<{ name: string }>(
      `select name from ${client.escapeIdentifier(schema)}.migrations`,
    );
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (errorCode(error) === undefinedTable) return new Set();
    throw error;
  }
}

/**
 * Migrations that remove what an earlier version uses have a name that says so, because the name is all that a version learns
 * about a migration that it does not know. It works with any other newer migration.
 */
const contracts = /^\d+-contract-/;

function refuseNewer({ schema, migrations }: Store, applied: ReadonlySet<string>): void {
  const known = new Set(migrations.map(({ name }) => name));
  const newer = [...applied].filter((name) => contracts.test(name) && !known.has(name));
  if (newer.length === 0) return;
  throw new Error(
    `A newer version has migrated the schema "${schema}" (${newer.join(', ')}), which this version cannot use. Start that version, or a newer one.`,
  );
}

const lockEveryMs = 200;

/** Polls, because a server that is waiting cannot be told from one that is lost. */
async function lock(client: pg.Client, schema: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtext('crm.migrate'), hashtext($1)) as locked",
      [schema],
    );
    if (rows[0]?.locked) return;
    await sleep(lockEveryMs);
  }
}

const endMs = 1_000;

/** A silent connection does not respond when it is closed either. */
async function endOrDestroy(client: pg.Client): Promise<void> {
  const { stream } = client.connection;
  const timer = setTimeout(() => stream.destroy(), endMs);
  await client.end().catch(() => undefined);
  clearTimeout(timer);
}

const lockAttempts = 30;

/**
 * A migration that waits for a lock holds up everybody who comes after it. It therefore waits for a second only, and lets
 * others go first before it tries again.
 */
async function applyPatiently(url: string, store: Store): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyMigrations(url, store);
    } catch (error) {
      if (!isLockTimeout(error) || attempt === lockAttempts) throw error;
      await sleep(500 + Math.random() * 500);
    }
  }
}

const isLockTimeout = (error: unknown) => errorCode(error) === '55P03';

async function applyMigrations(url: string, { schema, entities, migrations }: Store): Promise<string[]> {
  const { Migrator } = await import('@mikro-orm/migrations');
  const migrationsList = (await Promise.all(migrations.map(loadStep))).flat();
  const orm = await MikroORM.init(
    defineConfig({
      clientUrl: urlsOf(url)[0],
      entities,
      extensions: [Migrator],
      pool: { min: 0, max: 2 },
      driverOptions: {
        ...reachOf(url),
        options: `${settingsFor(schema)} -c lock_timeout=1s -c statement_timeout=0 -c transaction_timeout=0`,
        connectionTimeoutMillis: 5_000,
        ...keepAlive,
      },
      migrations: {
        migrationsList,
        snapshot: false,
        allOrNothing: true,
        schema,
        tableName: 'migrations',
      },
      colors: false,
      logger: () => undefined,
    }),
  );
  try {
    const applied = await orm.migrator.up();
    return applied.map(({ name }) => name);
  } finally {
    await orm.close(true);
  }
}

async function loadStep({ name, load }: MigrationStep) {
  return Object.values(await load()).map((migration) => ({ name, class: migration }));
}
