import { createHash, randomUUID } from 'node:crypto';
import { migrate, provisionRole, type Store } from '@crm/data';
import pg from 'pg';
import { inject } from 'vitest';
import type {} from './servers.ts';

export interface FreshDatabase {
  /** Connects as an administrator. */
  readonly adminUrl: string;
  /** Connects as the role of a service, by schema. */
  readonly urls: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** A database for one test file, copied from one that was migrated once per run. */
export async function freshDatabase(stores: readonly Store[]): Promise<FreshDatabase> {
  const server = inject('postgresUrl');
  const template = await templateFor(server, stores);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Copying files asks for a checkpoint, which costs nothing where nothing is kept.
  const copy = `create database ${name} template ${template} strategy file_copy`;
  await administer(server, (client) => client.query(copy));
  const adminUrl = databaseUrl(server, name);
  const urls: Record<string, string> = {};
  for (const { schema } of stores) urls[schema] = await roleUrl(adminUrl, schema);
  return {
    adminUrl,
    urls,
    drop: () => administer(server, (client) => client.query(`drop database ${name} with (force)`)),
  };
}

/** What this process has set up already. Both last as long as the run's server. */
const templates = new Set<string>();
const roles = new Map<string, string>();

/** A role belongs to the server, so one serves every copy of a template. */
async function roleUrl(adminUrl: string, schema: string): Promise<string> {
  const url = roles.get(schema) ?? (await provisionRole(adminUrl, schema));
  roles.set(schema, url);
  return databaseUrl(url, new URL(adminUrl).pathname);
}

/** Test files request it concurrently; one creates it while the others wait. */
async function templateFor(server: string, stores: readonly Store[]): Promise<string> {
  const contents = stores.map(({ schema, migrations }) => [schema, migrations.map(({ name }) => name)]);
  const name = `template_${createHash('sha1').update(JSON.stringify(contents)).digest('hex').slice(0, 16)}`;
  if (templates.has(name)) return name;
  await administer(server, async (client) => {
    await client.query("select pg_advisory_lock(hashtext('crm.test.templates'))");
    const known = await client.query('select from pg_database where datname = $1', [name]);
    if (known.rowCount) return;
    const building = `${name}_building`;
    await client.query(`drop database if exists ${building} with (force)`);
    await client.query(`create database ${building}`);
    for (const store of stores)
      await migrate(await provisionRole(databaseUrl(server, building), store.schema), store);
    await client.query(`alter database ${building} rename to ${name}`);
  });
  templates.add(name);
  return name;
}

/** The same server and user with another database. */
function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

async function administer(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
