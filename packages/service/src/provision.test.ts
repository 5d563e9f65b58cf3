import { migrate, provisionRole, withRole } from '@crm/data';
import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';

async function ask(url: string, sql: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

const serverOf = (adminUrl: string) => adminUrl.replace(/[^/]*$/, 'postgres');

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
    await ask(serverOf(adminUrl), 'drop role crm_provisioned');
  }
});

it('a role is given its schema by an administrator who may only create roles, as of a managed server', async () => {
  const { adminUrl, drop } = await freshDatabase([]);
  const database = new URL(adminUrl).pathname.slice(1);
  await ask(adminUrl, "create role crm_master login createrole password 'of the master'");
  await ask(adminUrl, `alter database ${database} owner to crm_master`);
  try {
    const masterUrl = withRole(adminUrl, 'crm_master', 'of the master');
    const url = await provisionRole(masterUrl, 'provisioned');
    expect(
      await ask(url, "select nspowner::regrole::text from pg_namespace where nspname = 'provisioned'"),
    ).toEqual(['crm_provisioned']);
    await ask(masterUrl, "alter role crm_provisioned password 'of somebody else'");
    expect(await provisionRole(masterUrl, 'provisioned')).toBe(url);
    // The administrator has no rights of the role, only that of giving things to it.
    await expect(ask(masterUrl, 'create table provisioned.of_master ()')).rejects.toThrow(
      'permission denied',
    );
  } finally {
    await drop();
    await ask(serverOf(adminUrl), 'drop role if exists crm_provisioned, crm_master');
  }
});

describe('a database that cannot hold the schema of a service', () => {
  it('because of an extension in another schema is refused with the statement that moves it', async () => {
    const { adminUrl, drop } = await freshDatabase([]);
    // Last, because what it owns is dropped with the database.
    onTestFinished(async () => void (await ask(serverOf(adminUrl), 'drop role crm_notes_alone')));
    onTestFinished(drop);
    await ask(adminUrl, 'create schema extensions');
    await ask(adminUrl, 'create extension pg_trgm schema extensions');
    await expect(provisionRole(adminUrl, 'provisioned')).rejects.toThrow(
      'alter extension pg_trgm set schema public',
    );
    await ask(adminUrl, "create role crm_notes_alone login password 'alone'");
    await ask(adminUrl, 'create schema notes authorization crm_notes_alone');
    const alone = withRole(adminUrl, 'crm_notes_alone', 'alone');
    await expect(migrate(alone, notesService.store)).rejects.toThrow(
      'alter extension pg_trgm set schema public',
    );
  });

  it('because of its encoding is refused with the statement that creates another one', async () => {
    const { adminUrl, drop } = await freshDatabase([]);
    onTestFinished(drop);
    const name = `latin_${process.pid}`;
    await ask(
      serverOf(adminUrl),
      `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
    );
    onTestFinished(async () => void (await ask(serverOf(adminUrl), `drop database ${name} with (force)`)));
    await expect(provisionRole(adminUrl.replace(/[^/]*$/, name), 'provisioned')).rejects.toThrow(
      /is LATIN1.+create database crm template template0 encoding 'UTF8'/,
    );
  });
});
