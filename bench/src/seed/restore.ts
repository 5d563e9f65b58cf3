import type pg from 'pg';
import { awaitServices, restoreActivity } from './restore-activity.ts';
import { changeableOf, lastSeeded, type Size } from './rows.ts';

/** Puts the rows back as they were seeded, so that every measurement finds the same. */
export async function restore(db: pg.Client, schema: 'contacts' | 'peers', size: Size): Promise<void> {
  const isOurs = schema === 'contacts';
  await db.query(`set search_path = ${schema}, public`);
  if (isOurs) await awaitServices(db);
  await db.query('delete from contacts where id > $1', [size.contacts]);
  await putBack(db, size);
  if (isOurs) await db.query('truncate idempotency_keys');
  if (isOurs) await restoreActivity(db, size);
  await db.query('vacuum analyze contacts, addresses, contact_tags');
  await db.query('checkpoint');
}

async function putBack(db: pg.Client, size: Size): Promise<void> {
  const { rows } = await db.query<{ id: number }>('select id from contacts where modified_at > $1', [
    new Date(lastSeeded).toISOString(),
  ]);
  const seeded = rows.map(({ id }) => changeableOf(id, size));
  await db.query(
    `update contacts set version = 1, company = s.company, hotness_id = s.hotness_id, modified_at = s.modified_at,
       -- A claim assigns it to its owner, and the seed does not.
       assigned_user_id = nullif(contacts.assigned_user_id, contacts.owner_user_id)
     from json_to_recordset($1::json) s (id int, company text, hotness_id int, modified_at timestamptz)
     where contacts.id = s.id`,
    [JSON.stringify(seeded)],
  );
}
