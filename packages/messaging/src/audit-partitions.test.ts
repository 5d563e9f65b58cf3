import type { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { createService, rename } from '../test/rig.ts';
import { keepAuditPartitions } from './audit-partitions.ts';

const days = 400;

async function partitionsOf(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class join pg_inherits on oid = inhrelid
     where inhparent = 'audit_events'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The partition of the month in which the moment so many months from now is. */
async function nameOf(pool: Pool, months: number): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select 'audit_events_' || to_char(date_trunc('month', now() at time zone 'UTC') + $1 * interval '1 month', 'YYYY_MM')
       as name`,
    [months],
  );
  return rows[0]?.name ?? '';
}

const placesOf = async (pool: Pool) =>
  (
    await pool.query<{ name: string; record_id: number }>(
      'select tableoid::regclass::text as name, record_id from audit_events order by record_id',
    )
  ).rows.map(({ name, record_id }) => [record_id, name]);

/** A row of the middle of an earlier month. */
const addOld = (pool: Pool, record_id: number, months: number) =>
  pool.query(
    `insert into audit_events (id, created_at, actor_type, request_id, action, record_id)
     values (gen_random_uuid(), date_trunc('month', now()) - $2 * interval '1 month' + interval '14 days',
       'user', 'test', 'test', $1)`,
    [record_id, months],
  );

describe('the partitions of the audit log', () => {
  it('are made for this month and the next two, however often and by however many', async () => {
    const { pool } = await createService('audited');
    const made = [
      ...(await Promise.all([0, 1, 2].map((n) => nameOf(pool, n)))),
      'audit_events_default',
    ].sort();
    expect((await partitionsOf(pool)).sort()).toEqual(made);
    await pool.query(`drop table ${await nameOf(pool, 2)}, ${await nameOf(pool, 1)}`);
    await Promise.all([1, 2, 3].map(() => keepAuditPartitions(pool, days)));
    expect((await partitionsOf(pool)).sort()).toEqual(made);
  });

  it('are not needed to write, and get what was written without them when they are made', async () => {
    const service = await createService('audited');
    const { pool } = service;
    const month = await nameOf(pool, 0);
    await pool.query(`drop table ${month}`);
    await rename(service, { id: 1 });
    await addOld(pool, 2, 3);
    expect(await placesOf(pool)).toEqual([
      [1, 'audit_events_default'],
      [2, 'audit_events_default'],
    ]);
    await Promise.all([keepAuditPartitions(pool, days), keepAuditPartitions(pool, days)]);
    expect(await placesOf(pool)).toEqual([
      [1, month],
      [2, await nameOf(pool, -3)],
    ]);
    await rename(service, { id: 3, version: 2 });
    expect((await placesOf(pool)).at(-1)).toEqual([3, month]);
    await expect(pool.query('delete from audit_events')).rejects.toThrow('can only be added');
  });

  it('are dropped when every row in them is too old', async () => {
    const { pool } = await createService('audited');
    for (const [id, months] of [1, 3, 15].entries()) await addOld(pool, id, months);
    await keepAuditPartitions(pool, days);
    expect((await placesOf(pool)).map(([id]) => id)).toEqual([0, 1]);
    await keepAuditPartitions(pool, 40);
    expect((await placesOf(pool)).map(([id]) => id)).toEqual([0]);
  });
});
