import { provisionRole } from '@crm/data';
import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { expect, it } from 'vitest';

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

it.each([
  ['schema', 'drop schema provisioned'],
  ['extension', 'drop extension btree_gin'],
  ['password', "alter role crm_provisioned password 'of somebody else'"],
  ['right to sign in', 'alter role crm_provisioned nologin'],
])('a role is given the %s that it has lost, and keeps the rest', async (_what, lose) => {
  const { adminUrl, drop } = await freshDatabase([]);
  try {
    const url = await provisionRole(adminUrl, 'provisioned');
    await ask(adminUrl, lose);
    expect(await provisionRole(adminUrl, 'provisioned')).toBe(url);
    const present = `select to_regnamespace('provisioned')::text, (select count(*)::int from pg_extension
      where extname in ('pg_trgm', 'btree_gin'))`;
    expect(await ask(url, present)).toEqual(['provisioned', 2]);
  } finally {
    await drop();
    // Otherwise the next one could not create it.
    await ask(adminUrl.replace(/[^/]*$/, 'postgres'), 'drop role crm_provisioned');
  }
});
