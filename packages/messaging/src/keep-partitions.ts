import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { makePartitions } from './make-partitions.ts';
import type { PartitionedTable } from './partitioned-tables.ts';

/** Whether no other instance is at it, until the connection ends. */
const lock = (name: string) =>
  `select pg_try_advisory_lock(hashtextextended('partitions of ' || '${name}'::regclass::oid, 0)) as locked`;

/**
 * Makes the partitions of this period and the next, and drops those in which nothing is needed any more. Takes a connection of
 * its own, which is not connected yet, and gives it up when the signal is aborted. Safe to call concurrently.
 */
export async function keepPartitions(
  client: Client,
  tables: readonly PartitionedTable[],
  signal?: AbortSignal,
): Promise<void> {
  client.on('error', () => undefined); // A broken connection also fails the next statement.
  const hangUp = () => client.connection.stream.destroy();
  signal?.addEventListener('abort', hangUp, { once: true });
  try {
    await client.connect();
    await client.query('set statement_timeout = 0');
    for (const table of tables) {
      const { rows } = await client.query<{ locked: boolean }>(lock(table.name));
      if (rows[0]?.locked) await keepOne(client, table);
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener('abort', hangUp);
    await client.end().catch(() => undefined);
  }
}

async function keepOne(client: Client, table: PartitionedTable): Promise<void> {
  await patiently(client, () => makePartitions(client, table));
  for (const partition of await agedOf(client, table))
    await patiently(client, () => dropIfOver(client, table, partition));
}

const attempts = 15;

/** A table is in use, or whoever uses it waits for what is locked here. */
const inUse = new Set(['55P03', '40P01']);

/**
 * Whoever waits for a lock holds up all who come after, so it does not wait for a long reader, and pauses before
 * it tries again.
 */
async function patiently(client: Client, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const waitMs = Math.min(attempt * 50, 500);
    try {
      await client.query(`set lock_timeout = ${waitMs}`);
      return await work();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (!inUse.has(code) || attempt === attempts) throw error;
      await sleep(waitMs * (1 + Math.random()));
    }
  }
}

/** Partitions of periods that ended long enough ago. The default one has none in its name. */
async function agedOf(client: Client, { name, period, days }: PartitionedTable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = '${name}'::regclass
     and to_date(substring(inhrelid::regclass::text from '_(\\d{4}(_\\d{2}){1,2})$'), 'YYYY_MM_DD') + interval '1 ${period}'
       <= (now() at time zone 'UTC') - interval '${days} days' order by 1`,
  );
  return rows.map((row) => row.name);
}

/** What belongs to an early period may have come late, also until nobody else can write. */
async function dropIfOver(
  client: Client,
  { name, since, days }: PartitionedTable,
  partition: string,
): Promise<void> {
  const needed = `select from ${partition} where ${since} >= now() - interval '${days} days' limit 1`;
  if ((await client.query(needed)).rowCount) return;
  await client.query(`do $$
    begin
      lock table only ${name} in access exclusive mode;
      if not exists (${needed}) then drop table ${partition}; end if;
    end $$`);
}
