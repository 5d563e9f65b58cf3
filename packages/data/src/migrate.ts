import { setTimeout as sleep } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { keepAlive, type Store } from './database.ts';

/**
 * Migrates the schema of a service. Instances that start together wait for each other, and an interrupted migration
 * leaves nothing behind, because all of them run in one transaction. Returns the names of the applied migrations.
 */
export async function migrate(url: string, store: Store): Promise<string[]> {
  const application_name = `crm-${store.schema}-migrate`;
  const lock = new pg.Client({ connectionString: url, application_name, ...keepAlive });
  lock.on('error', () => undefined); // A broken connection also fails the next query, which reports it.
  await lock.connect();
  try {
    await lock.query("select pg_advisory_lock(hashtext('crm.migrate'), hashtext($1))", [store.schema]);
    await createSchema(lock, store.schema);
    return await applyPatiently(url, store);
  } finally {
    await lock.end();
  }
}

async function createSchema(client: pg.Client, schema: string) {
  const { rowCount } = await client.query('select from information_schema.schemata where schema_name = $1', [
    schema,
  ]);
  if (rowCount === 0) await client.query(`create schema ${client.escapeIdentifier(schema)}`);
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

const isLockTimeout = (error: unknown) => error instanceof Error && 'code' in error && error.code === '55P03';

async function applyMigrations(url: string, { schema, entities, migrations }: Store): Promise<string[]> {
  const orm = await MikroORM.init(
    defineConfig({
      clientUrl: url,
      entities,
      extensions: [Migrator],
      pool: { min: 0, max: 2 },
      driverOptions: {
        options: `-c search_path=${schema} -c timezone=UTC -c lock_timeout=1s`,
        ...keepAlive,
      },
      migrations: {
        migrationsList: [...migrations],
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
