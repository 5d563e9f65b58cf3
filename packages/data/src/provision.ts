import { createHmac } from 'node:crypto';
import type pg from 'pg';
import { urlsOf, withRole } from './database-url.ts';
import { clientTo } from './read-write-client.ts';

/**
 * Creates the role of a service on a server where we may create roles, and returns the URL to connect with. The role owns
 * the schema of its service and has no access to others. Its password is derived from the administrator's, so that all
 * instances agree on it and it is not stored.
 */
export async function provisionRole(adminUrl: string, schema: string): Promise<string> {
  const role = `crm_${schema}`;
  const password = rolePassword(new URL(urlsOf(adminUrl)[0]).password, role);
  const url = withRole(adminUrl, role, password);
  const client = clientTo(adminUrl, { application_name: 'crm-provision' });
  await client.connect();
  try {
    await client.query('begin');
    // Two concurrent starts would both find the role missing. The lock is per database.
    await client.query("select pg_advisory_xact_lock(hashtext('crm.provision'))");
    if (!(await canConnect(url))) await setRole(client, role, password);
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

/** Here, because only the owner of a database may add them. Migrations say which of them they need. */
async function addExtensions(client: pg.Client) {
  for (const name of ['pg_trgm', 'btree_gin'])
    await client.query(`create extension if not exists ${name} schema public`);
}

async function setRole(client: pg.Client, role: string, password: string) {
  const existing = await client.query('select from pg_roles where rolname = $1', [role]);
  const verb = existing.rowCount ? 'alter' : 'create';
  await client.query(
    `${verb} role ${client.escapeIdentifier(role)} login password ${client.escapeLiteral(password)}`,
  );
}

async function canConnect(url: string): Promise<boolean> {
  const client = clientTo(url);
  try {
    await client.connect();
    return true;
  } catch {
    return false; // Whatever the reason, setting the role fixes it or reports why it cannot.
  } finally {
    await client.end().catch(() => undefined);
  }
}
