import type { Pool } from 'pg';

/** Partitions of months of which the last moment is older. The default partition has no month in its name. */
const findExpired = `
  select inhrelid::regclass::text as name from pg_inherits
  where inhparent = 'audit_events'::regclass
  and to_date(substring(inhrelid::regclass::text from '_(\\d{4}_\\d{2})$'), 'YYYY_MM') + interval '1 month'
    <= (now() at time zone 'UTC') - $1 * interval '1 day'`;

/**
 * Makes the partitions of this month and the two after it, and drops those in which every row is older than the given
 * number of days. Safe to call concurrently.
 */
export async function keepAuditPartitions(pool: Pool, days: number): Promise<void> {
  await pool.query('select add_audit_partitions()');
  const { rows } = await pool.query<{ name: string }>(findExpired, [days]);
  for (const { name } of rows) await pool.query(`drop table if exists ${name}`);
}
