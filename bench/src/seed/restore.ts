import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { changeableOf, lastSeeded, type Size } from './rows.ts';

/** Puts the rows back as they were seeded, so that every measurement finds the same. */
export async function restore(db: pg.Client, schema: 'contacts' | 'peers', size: Size): Promise<void> {
  const isOurs = schema === 'contacts';
  await db.query(`set search_path = ${schema}, public`);
  if (isOurs) await awaitRelay(db);
  await db.query('delete from contacts where id > $1', [size.contacts]);
  await putBack(db, size);
  if (isOurs) await forgetWrites(db);
  await db.query(`vacuum analyze contacts, addresses, contact_tags${isOurs ? ', outbox' : ''}`);
  await db.query('checkpoint');
}

async function putBack(db: pg.Client, size: Size): Promise<void> {
  const { rows } = await db.query<{ id: number }>('select id from contacts where modified_at > $1', [
    new Date(lastSeeded).toISOString(),
  ]);
  const seeded = rows.map(({ id }) => changeableOf(id, size));
  await db.query(
    `update contacts set version = 1, company = s.company, hotness_id = s.hotness_id, modified_at = s.modified_at
     from json_to_recordset($1::json) s (id int, company text, hotness_id int, modified_at timestamptz)
     where contacts.id = s.id`,
    [JSON.stringify(seeded)],
  );
}

/** What a write leaves behind beside the contact. */
async function forgetWrites(db: pg.Client): Promise<void> {
  await db.query('truncate idempotency_keys');
  await db.query('delete from outbox where published_at is not null');
  await db.query('truncate audit_events');
}

async function awaitRelay(db: pg.Client): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const { rows } = await db.query('select count(*)::int as waiting from outbox where published_at is null');
    if (rows[0].waiting === 0) return;
    if (performance.now() > deadline) throw new Error('Events were still not published after two minutes.');
    await sleep(100);
  }
}
