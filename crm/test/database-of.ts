import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

type Row = Record<string, unknown>;

/** A connection to the database of a service of the system that runs in the folder. */
export async function clientOf(folder: string, service: string): Promise<pg.Client> {
  const { databaseUrls } = JSON.parse(readFileSync(join(folder, 'system.json'), 'utf8'));
  const options = `-c search_path=${service.replaceAll('-', '_')}`;
  const client = new pg.Client({ connectionString: databaseUrls[service], options });
  await client.connect();
  return client;
}

/**
 * The rows that a statement returns, without visibility rules, in the database of a service of the system that runs in the
 * folder.
 */
export async function rowsOf(
  folder: string,
  service: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = await clientOf(folder, service);
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

export const databaseOf = (folder: string) => (service: string, text: string, values?: unknown[]) =>
  rowsOf(folder, service, text, values);
