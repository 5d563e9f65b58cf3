import { migrate } from '@crm/data';
import { freshDatabase } from '@crm/testing';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { schedulingStore } from '../src/store.ts';

/** A database of its own as the release before a migration left it, until the test ends. */
export async function databaseBefore(migration: string) {
  const { migrations } = schedulingStore;
  const earlier = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === migration),
  );
  const database = await freshDatabase([{ ...schedulingStore, migrations: earlier }]);
  const url = database.urls.scheduling ?? '';
  const client = new Client(url);
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  await client.query('set search_path = scheduling');
  return { client, upgrade: () => migrate(url, schedulingStore) };
}
