import { createHmac } from 'node:crypto';
import pg from 'pg';

/**
 * Gives a service a role of its own on a server where we may create roles, and answers the URL it connects
 * with. The role owns the schema of its service and may not look into another. Its password is derived from
 * the administrator's, so that all instances agree on it and it is kept nowhere.
 */
export async function provisionRole(adminUrl: string, schema: string): Promise<string> {
  const role = `crm_${schema}`;
  const password = createHmac('sha256', new URL(adminUrl).password).update(role).digest('base64url');
  const client = new pg.Client({ connectionString: adminUrl, application_name: 'crm-provision' });
  await client.connect();
  try {
    await client.query('begin');
    // Two starts at once would both find the role missing.
    await client.query("select pg_advisory_xact_lock(hashtext('crm.provision'))");
    const name = client.escapeIdentifier(role);
    const known = await client.query('select from pg_roles where rolname = $1', [role]);
    await client.query(
      `${known.rowCount ? 'alter' : 'create'} role ${name} login password ${client.escapeLiteral(password)}`,
    );
    await client.query(
      `create schema if not exists ${client.escapeIdentifier(schema)} authorization ${name}`,
    );
    await client.query('commit');
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return url.href;
}
