import { migrate, type Store } from '@crm/data';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { freshDatabase } from './fresh-database.ts';

/** A separate database as the release before a migration left it, until the test ends. */
export async function databaseBefore(store: Store, migration: string) {
  const { schema, migrations } = store;
  const at = migrations.findIndex(({ name }) => name === migration);
  if (at < 0) throw new Error(`There is no migration ${migration}.`);
  const earlier = migrations.slice(0, at);
  const database = await freshDatabase([{ ...store, migrations: earlier }]);
  const url = database.urls[schema] ?? '';
  const client = new Client(url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  await client.query(`set search_path = ${schema}`);
  return { client, upgrade: () => migrate(url, store) };
}
