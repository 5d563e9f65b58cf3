import type { Client } from 'pg';
import type { PartitionedById } from './partitioned-by-id.ts';
import { inTransaction, patiently } from './patiently.ts';

/**
 * Closes the last partition while there is still room in it, and drops the first ones while nothing in them is needed any
 * longer. The first takes all low ids and the last all high ones, so that no write fails. With a default partition PostgreSQL
 * would not know that the partitions are ordered by id; without one it reads the newest rows from the last partition alone.
 */
export async function keepPartitionsById(client: Client, table: PartitionedById): Promise<void> {
  await endLast(client, table);
  if (table.days !== undefined) await dropFirst(client, table, table.days);
  await deleteParts(client, table);
}

/** The lowest ids of the partitions, which are in their names, in their order. */
async function startsOf(client: Client, { name }: PartitionedById): Promise<number[]> {
  const { rows } = await client.query<{ start: string }>(
    `select substring(relname from '_(\\d+)$') as start from pg_inherits join pg_class on oid = inhrelid
     where inhparent = '${name}'::regclass`,
  );
  return rows.map(({ start }) => Number(start)).toSorted((one, other) => one - other);
}

/** Ends the last partition at a multiple of the partition size. If that fails, it stays open-ended. */
async function endLast(client: Client, table: PartitionedById): Promise<void> {
  const start = (await startsOf(client, table)).at(-1) ?? 0;
  const last = `${table.name}_${start}`;
  // Left behind by an instance that crashed.
  await forgetEnd(client, last);
  const end = await endOf(client, table, last);
  if (end === undefined || end <= start) return;
  try {
    await divide(client, table, { start, last, end });
  } catch (error) {
    await forgetEnd(client, last);
    throw error;
  }
}

/** No row above the end can be written while this is being checked. */
async function forgetEnd(client: Client, last: string): Promise<void> {
  const ends = `select from pg_constraint where conrelid = '${last}'::regclass and conname = '${last}_ends'`;
  if ((await client.query(ends)).rowCount === 0) return;
  await patiently(client, () => inTransaction(client, [`alter table ${last} drop constraint ${last}_ends`]));
}

/** Where a partition ends, if that is near and leaves room for what is written until then. */
async function endOf(client: Client, { ids }: PartitionedById, last: string): Promise<number | undefined> {
  const { rows } = await client.query<{ highest: number | null }>(`select max(id) as highest from ${last}`);
  const highest = rows[0]?.highest ?? 0;
  const room = ids / 10;
  const end = Math.ceil((highest + room / 2) / ids) * ids;
  return end - highest > room ? undefined : end;
}

interface Division {
  readonly start: number;
  readonly last: string;
  readonly end: number;
}

/**
 * Divides the last partition from the next one. PostgreSQL reads all rows of the last one to see that none of them is above;
 * that is done beforehand, while others write up to there.
 */
async function divide(client: Client, { name }: PartitionedById, { start, last, end }: Division) {
  const ends = `alter table ${last} add constraint ${last}_ends check (id < ${end}${start > 0 ? ` and id >= ${start}` : ''})`;
  const next = `${name}_${end}`;
  await patiently(client, () => inTransaction(client, [`${ends} not valid`]));
  await patiently(client, () =>
    inTransaction(client, [`alter table ${last} validate constraint ${last}_ends`]),
  );
  await patiently(client, () =>
    inTransaction(client, [
      `lock table ${name} in access exclusive mode`,
      `alter table ${name} detach partition ${last}`,
      `alter table ${name} attach partition ${last} for values from (${start || 'minvalue'}) to (${end})`,
      `alter table ${last} drop constraint ${last}_ends`,
      `create table ${next} (like ${last} including defaults including constraints including indexes)`,
      `alter table ${name} attach partition ${next} for values from (${end}) to (maxvalue)`,
    ]),
  );
}

/**
 * One after the other, so that what is kept has no gaps. A partition stays until everything that may still be written has
 * higher ids.
 */
async function dropFirst(client: Client, table: PartitionedById, days: number): Promise<void> {
  for (;;) {
    const [start, end] = await startsOf(client, table);
    if (start === undefined || end === undefined) return;
    const isPassed = `select from ${table.name} where id >= ${end} limit 1`;
    if (!(await client.query(isPassed)).rowCount) return;
    await dropIfOver(client, table, start, days);
    if ((await startsOf(client, table))[0] === start) return;
  }
}

async function dropIfOver(
  client: Client,
  { name, since, open = [] }: PartitionedById,
  start: number,
  days: number,
): Promise<void> {
  const partition = `${name}_${start}`;
  const isKept = `${since} >= now() - interval '${days} days'`;
  const newest = `select from (select * from ${partition} order by id desc limit 1) newest where ${isKept}`;
  if ((await client.query(newest)).rowCount) return;
  await indexSince(client, partition, since);
  // Regardless of its estimates, PostgreSQL must not read all rows while nobody else can write.
  await client.query('set enable_seqscan = off');
  const isNeeded = [isKept, ...open]
    .map((is) => `exists (select from ${partition} where ${is})`)
    .join(' or ');
  if ((await client.query(`select where ${isNeeded}`)).rowCount) return;
  await patiently(client, async () => {
    await client.query(`do $$
      begin
        lock table only ${name} in access exclusive mode;
        if not (${isNeeded}) then drop table ${partition}; end if;
      end $$`);
  });
}

/** Rows are seldom changed long after they were added, so that an index of ranges of pages finds those that were. */
async function indexSince(client: Client, partition: string, since: string): Promise<void> {
  await client.query('set lock_timeout = 0');
  const broken = `select from pg_index where indexrelid = to_regclass('${partition}_since') and not indisvalid`;
  if ((await client.query(broken)).rowCount) await client.query(`drop index ${partition}_since`);
  await client.query(
    `create index concurrently if not exists ${partition}_since on ${partition} using brin ((${since}))`,
  );
}

const portion = 5_000;

/** Rows that belonged to dropped rows, those before the first one. Nobody can find them any longer. */
async function deleteParts(client: Client, table: PartitionedById): Promise<void> {
  const [first = 0] = await startsOf(client, table);
  const { parts } = table;
  if (!parts || first === 0) return;
  for (;;) {
    const { rowCount } = await client.query(
      `delete from ${parts.name} where id = any(array(
         select id from ${parts.name} where ${parts.of} < ${first} order by ${parts.of} limit ${portion}))`,
    );
    if ((rowCount ?? 0) < portion) return;
  }
}
