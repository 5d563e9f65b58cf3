import type { Client } from 'pg';
import type { PartitionedTable } from './partitioned-tables.ts';
import { inTransaction } from './patiently.ts';

/** The current period and two more have a partition. */
const ahead = 2;

/** A period without a partition. Its limits are keys, as SQL literals. */
interface Missing {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly isAhead: boolean;
  /** Whether rows of it are in the default partition. */
  readonly isFilled: boolean;
}

interface Found {
  readonly missing: readonly Missing[];
  /** Whether the default partition has rows that nobody needs any longer. */
  readonly hasExpired: boolean;
  /** How many rows of it are still needed, up to one more than may be moved. */
  readonly kept: number;
}

/** Creates the partitions of this period and the next, and of periods that have rows in the default partition. */
export async function makePartitions(client: Client, table: PartitionedTable): Promise<void> {
  const found = await look(client, table);
  const isMovable = found.kept <= table.mostMoved;
  const isMisplaced = found.hasExpired || found.missing.some(({ isFilled }) => isFilled);
  if (isMisplaced && isMovable) return moveRows(client, table, found.missing);
  const wanted = found.missing.filter(({ isAhead, isFilled }) => isAhead && !isFilled);
  if (wanted.length === 0) return;
  if (isMovable) await inTransaction(client, attachAll(table, wanted));
  else await attachBesideMany(client, table, wanted);
}

const isKept = ({ since, days }: PartitionedTable) =>
  `(${since} is null or ${since} >= now() - interval '${days} days')`;

async function look(client: Client, table: PartitionedTable): Promise<Found> {
  const { name, period, key, keyAt, since, days, mostMoved } = table;
  const current = `date_trunc('${period}', now() at time zone 'UTC')`;
  const at = (moment: string) => keyAt(`(${moment} at time zone 'UTC')`);
  const { rows: missing } = await client.query<Missing>(
    `select name, quote_literal(low) as "from", quote_literal(high) as "to", begins >= ${current} as "isAhead",
       exists (select from ${name}_default where ${key} >= low and ${key} < high) as "isFilled"
     from (
       select begins, '${name}_' || to_char(begins, '${period === 'day' ? 'YYYY_MM_DD' : 'YYYY_MM'}') as name,
         ${at('begins')} as low, ${at(`(begins + interval '1 ${period}')`)} as high
       from generate_series(date_trunc('${period}', ${current} - interval '${days} days'),
         ${current} + interval '${ahead} ${period}', interval '1 ${period}') begins
     ) periods
     where to_regclass(name) is null order by begins`,
  );
  const { rows } = await client.query<Omit<Found, 'missing'>>(
    `select exists (select from ${name}_default where ${since} < now() - interval '${days} days') as "hasExpired",
       (select count(*)::int from (
         select from ${name}_default where ${isKept(table)} limit ${mostMoved + 1}) rows) as kept`,
  );
  return { missing, hasExpired: false, kept: 0, ...rows[0] };
}

const attachAll = ({ name }: PartitionedTable, missing: readonly Missing[]) =>
  missing.flatMap(({ name: partition, from, to }) => [
    `create table ${partition} (like ${name}_default including defaults including indexes)`,
    `alter table ${name} attach partition ${partition} for values from (${from}) to (${to})`,
  ]);

/** Gives the table a new default partition, and moves each row that is kept to its partition. */
async function moveRows(client: Client, table: PartitionedTable, missing: readonly Missing[]): Promise<void> {
  const { name } = table;
  const wanted = missing.filter(({ isAhead, isFilled }) => isAhead || isFilled);
  await inTransaction(client, [
    `lock table ${name} in access exclusive mode`,
    `alter table ${name} detach partition ${name}_default`,
    `alter table ${name}_default rename to ${name}_unsorted`,
    `create table ${name}_default (like ${name}_unsorted including defaults including indexes)`,
    `alter table ${name} attach partition ${name}_default default`,
    ...attachAll(table, wanted),
    `insert into ${name} overriding system value select * from ${name}_unsorted where ${isKept(table)}`,
    `drop table ${name}_unsorted`,
  ]);
}

/**
 * Adding a partition reads the whole default one while nobody can write to it, unless a constraint says that it has no row
 * of the new one. That is checked beforehand, while everybody can.
 */
async function attachBesideMany(
  client: Client,
  table: PartitionedTable,
  wanted: readonly Missing[],
): Promise<void> {
  const [first] = wanted;
  const last = wanted.at(-1);
  if (!first || !last) return;
  const { name, key } = table;
  const altered = `alter table ${name}_default`;
  const forget = `${altered} drop constraint if exists ${name}_default_has_none`;
  const check = `check (${key} is null or ${key} < ${first.from} or ${key} >= ${last.to})`;
  await inTransaction(client, [
    forget,
    `${altered} add constraint ${name}_default_has_none ${check} not valid`,
  ]);
  await client.query(`${altered} validate constraint ${name}_default_has_none`);
  await inTransaction(client, [...attachAll(table, wanted), forget]);
}
