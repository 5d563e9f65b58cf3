import { hash, randomUUID } from 'node:crypto';
import { migrate, provisionRole, rolePassword, type Store, withRole } from '@crm/data';
import pg from 'pg';
import { inject } from 'vitest';
import { processEnding } from './process-ending.ts';
import type {} from './servers.ts';

export interface FreshDatabase {
  /** Connects as an administrator. */
  readonly adminUrl: string;
  /** Connects as the role of a service, by schema. */
  readonly urls: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** A database for one test file, copied from one that is migrated once per run. */
export async function freshDatabase(stores: readonly Store[]): Promise<FreshDatabase> {
  const server = inject('postgresUrl');
  const template = await templateFor(server, stores);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // Copying files requires a checkpoint, which costs nothing without durability.
  const copy = `create database ${name} template ${template} strategy file_copy`;
  await administer(server, copy);
  const adminUrl = databaseUrl(server, name);
  const urls: Record<string, string> = {};
  for (const { schema } of stores) urls[schema] = roleUrl(adminUrl, schema);
  return {
    adminUrl,
    urls,
    drop: async () => void (await administer(server, `drop database ${name} with (force)`)),
  };
}

/** Templates that this process has already set up or found. They last as long as the run's server. */
const templates = new Set<string>();

/** A role belongs to the server, and was created together with the template. */
function roleUrl(adminUrl: string, schema: string): string {
  const role = `crm_${schema}`;
  return withRole(adminUrl, role, rolePassword(new URL(adminUrl).password, role));
}

/** Test files request it concurrently; one creates it while the others wait. */
async function templateFor(server: string, stores: readonly Store[]): Promise<string> {
  const contents = stores.map(({ schema, migrations }) => [schema, migrations.map(({ name }) => name)]);
  const name = `template_${hash('sha1', JSON.stringify(contents)).slice(0, 16)}`;
  if (templates.has(name)) return name;
  const exists = 'select from pg_database where datname = $1';
  // The lock belongs to the session, so the session is closed afterwards.
  await inSession(server, async (client) => {
    await client.query("select pg_advisory_lock(hashtext('crm.test.templates'))");
    if ((await client.query(exists, [name])).rowCount) return;
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

/** The URL of another database of the same server and user. */
function databaseUrl(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

/** The connection with which this process creates and drops databases: opening one for each takes longer than the work. */
let administrator: Promise<pg.Client> | undefined;
// Registered first and so closed last, because others drop their databases over it.
processEnding().defer(async () => void (await (await administrator)?.end()));

let lastStatement: Promise<unknown> = Promise.resolve();

/** One statement after the other, because a connection runs one at a time. */
function administer(server: string, sql: string): Promise<unknown> {
  const send = async () => {
    administrator ??= connectedTo(server);
    return (await administrator).query(sql);
  };
  const sent = lastStatement.then(send, send);
  lastStatement = sent;
  return sent;
}

async function connectedTo(server: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server });
  client.on('error', () => undefined); // A broken connection also fails the next statement.
  await client.connect();
  return client;
}

async function inSession(server: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
