import type { Client } from 'pg';
import { keepPartitionsById } from './keep-partitions-by-id.ts';
import { makePartitions } from './make-partitions.ts';
import type { PartitionedById } from './partitioned-by-id.ts';
import type { PartitionedTable } from './partitioned-tables.ts';
import { patiently } from './patiently.ts';

/** Whether no other instance is doing this, until the connection ends. */
const lock = (name: string) =>
  `select pg_try_advisory_lock(hashtextextended('partitions of ' || '${name}'::regclass::oid, 0)) as locked`;

/**
 * Creates the upcoming partitions and drops those in which nothing is needed any longer. Takes a connection made by `clientTo`,
 * which is not connected yet, and ends it when the signal is aborted. Safe to call concurrently.
 */
export async function keepPartitions(
  client: Client,
  tables: readonly (PartitionedTable | PartitionedById)[],
  signal?: AbortSignal,
): Promise<void> {
  const hangUp = () => client.connection.stream.destroy();
  signal?.addEventListener('abort', hangUp, { once: true });
  try {
    await client.connect();
    await client.query('set statement_timeout = 0; set transaction_timeout = 0');
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

async function keepOne(client: Client, table: PartitionedTable | PartitionedById): Promise<void> {
  if ('ids' in table) return keepPartitionsById(client, table);
  await patiently(client, () => makePartitions(client, table));
  for (const partition of await agedOf(client, table))
    await patiently(client, () => dropIfOver(client, table, partition));
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

/** Rows of an early period may arrive late, even until the table is locked against writes. */
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
