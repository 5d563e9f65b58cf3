import type pg from 'pg';
import { bypassTriggers, withoutIndexes } from './database.ts';
import { settle, tableNames } from './fill-ours.ts';

/**
 * The tables of the peers are made from ours, so that columns, keys, indexes, rows and ids are the same by construction.
 * They have no text to search, because the peers have no search.
 */
export async function fillPeers(db: pg.Client): Promise<void> {
  await db.query('drop schema if exists peers cascade');
  await db.query('create schema peers');
  for (const name of tableNames) await db.query(likeOurs(`peers.${name}`, `contacts.${name}`));
  await db.query('alter table peers.contacts drop column search_text, drop column address_text');
  await db.query('alter table peers.tags drop column search_text');
  await bypassTriggers(db);
  await withoutIndexes(db, 'peers', tableNames, async () => {
    for (const name of tableNames) await copyRows(db, name);
  });
  await addForeignKeys(db);
  await settle(db, 'peers');
  await copyAccounts(db);
}

/** What the activity of agents has changed in contacts since their rows were copied. */
export async function copyLastActivity(db: pg.Client): Promise<void> {
  await db.query(
    `update peers.contacts set last_activity_at = ours.last_activity_at from contacts.contacts ours
     where ours.id = contacts.id and ours.last_activity_at is not null`,
  );
  await db.query('vacuum analyze peers.contacts');
}

const likeOurs = (table: string, ours: string): string =>
  `create table ${table} (like ${ours} including all excluding generated excluding comments)`;

async function copyRows(db: pg.Client, name: string): Promise<void> {
  const { rows } = await db.query<{ names: string }>(
    `select string_agg(format('%I', column_name), ', ' order by ordinal_position) as names
     from information_schema.columns where table_schema = 'peers' and table_name = $1`,
    [name],
  );
  const names = rows[0]?.names ?? '';
  await db.query(
    `insert into peers.${name} (${names}) overriding system value select ${names} from contacts.${name}`,
  );
}

/** The search path makes the definitions name no schema. */
async function addForeignKeys(db: pg.Client): Promise<void> {
  await db.query('set search_path = contacts, public');
  const { rows } = await db.query<{ table: string; definition: string }>(
    `select conrelid::regclass::text as table, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and connamespace = 'contacts'::regnamespace
       and conrelid = any($1::regclass[]) and confrelid = any($1::regclass[])`,
    [tableNames],
  );
  await db.query('set search_path = peers, public');
  for (const { table, definition } of rows) await db.query(`alter table ${table} add ${definition}`);
}

async function copyAccounts(db: pg.Client): Promise<void> {
  for (const [name, ours] of [
    ['users', 'identity.users'],
    ['tokens', 'identity.access_tokens'],
  ] as const) {
    await db.query(likeOurs(`peers.${name}`, ours));
    await db.query(`insert into peers.${name} overriding system value select * from ${ours}`);
    await db.query(`vacuum analyze peers.${name}`);
  }
}
