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
    return await applyMigrations(url, store);
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

async function applyMigrations(url: string, { schema, entities, migrations }: Store): Promise<string[]> {
  const orm = await MikroORM.init(
    defineConfig({
      clientUrl: url,
      entities,
      extensions: [Migrator],
      pool: { min: 0, max: 2 },
      driverOptions: {
        options: `-c search_path=${schema} -c timezone=UTC -c lock_timeout=10s`,
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
