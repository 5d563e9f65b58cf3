import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { urlsOf, withRole } from './database-url.ts';
import { demandServer } from './demand-server.ts';
import { clientTo } from './read-write-client.ts';

/**
 * Creates the role of a service on a server where roles may be created, and returns the URL to connect with. The role owns the
 * schema of its service and has no access to others. Its password is derived from the administrator's, so that all instances
 * agree on it and it is not stored.
 */
export async function provisionRole(adminUrl: string, schema: string): Promise<string> {
  const role = `crm_${schema}`;
  const password = rolePassword(new URL(urlsOf(adminUrl)[0]).password, role);
  const url = withRole(adminUrl, role, password);
  if (await isProvisioned(url, schema)) return url;
  const client = clientTo(adminUrl, { application_name: 'crm-provision' });
  await client.connect();
  try {
    await demandServer(client);
    await client.query('begin');
    // Two concurrent starts would both find the role missing. The lock is per database.
    await client.query("select pg_advisory_xact_lock(hashtext('crm.provision'))");
    if (!(await canConnect(url))) await setRole(client, role, password);
    await demandSetRole(client, role);
    const owner = client.escapeIdentifier(role);
    await client.query(
      `create schema if not exists ${client.escapeIdentifier(schema)} authorization ${owner}`,
    );
    await addExtensions(client);
    await client.query('commit');
  } finally {
    await client.end();
  }
  return url;
}

/** The password of a role on a server whose administrator has the given one. */
export const rolePassword = (adminPassword: string, role: string): string =>
  createHmac('sha256', adminPassword).update(role).digest('base64url');

const extensions = ['pg_trgm', 'btree_gin'];

/** Here, because only the owner of a database may add them. Migrations say which of them they need. */
async function addExtensions(client: pg.Client) {
  for (const name of extensions) await client.query(`create extension if not exists ${name} schema public`);
}

async function setRole(client: pg.Client, role: string, password: string) {
  const existing = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = existing.rowCount ? 'alter' : 'create';
  await client.query(
    `${verb} role ${client.escapeIdentifier(role)} login password ${client.escapeLiteral(password)}`,
  );
}

/** An administrator who may only create roles, as on a managed server, can give them a schema only after this. */
async function demandSetRole(client: pg.Client, role: string) {
  const { rows } = await client.query<{ may: boolean }>("select pg_has_role($1, 'set') as may", [role]);
  if (rows[0]?.may) return;
  await client.query(`grant ${client.escapeIdentifier(role)} to current_user with inherit false, set true`);
}

/** Checked as the role itself, on one connection, because a start nearly always finds everything as the previous one left it. */
async function isProvisioned(url: string, schema: string): Promise<boolean> {
  const complete = `select from pg_namespace
    where nspname = $1 and (select count(*) from pg_extension where extname = any ($2)) = $3`;
  const found = await asRole(url, (client) =>
    client.query(complete, [schema, extensions, extensions.length]),
  );
  return found?.rowCount === 1;
}

const canConnect = async (url: string) => (await asRole(url, async () => true)) ?? false;

/** Undefined whatever the reason is: setting the role fixes it or reports why it cannot. */
async function asRole<Value>(url: string, ask: (client: pg.Client) => Promise<Value>) {
  const client = clientTo(url);
  try {
    await client.connect();
    return await ask(client);
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
