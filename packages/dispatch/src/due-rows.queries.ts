import { type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';
import type { Leased } from './due-row.ts';
import { lease } from './lease.ts';
import type { DispatchTable, FinalCheck, Share } from './queue.ts';

/** SQL of the ids of due rows in each share, longest due first; `more` adds a condition and a lock. */
const dueOf = (
  { name, lane, state, waiting, sharedBy, isDue = 'true' }: DispatchTable,
  more: { readonly and?: string; readonly lock: string },
) => `
  select picked.id
  from jsonb_to_recordset($1::jsonb) share (lane text, owner integer, max integer)
  cross join lateral (
    select t.id from ${name} t
    where t.${lane} = share.lane${sharedBy ? ` and t.${sharedBy} = share.owner` : ''}
      and t.${state} = '${waiting}' and t.next_attempt_at <= now() and ${isDue} ${more.and ?? ''}
    order by t.next_attempt_at, t.id
    limit share.max
    ${more.lock}
  ) picked`;

/** The ids of due rows, without leasing them. */
export function dueIds(query: Query, table: DispatchTable, shares: readonly Share[]): Promise<number[]> {
  return queryIds(query, dueOf(table, { lock: '' }), [JSON.stringify(shares)]);
}

const Lateness = z.object({ lane: z.string(), count: z.int(), seconds: z.number() });

/** How many rows of each lane are due and not sent yet, and how long ago the oldest of them became due. */
export function lateness(query: Query, { name, lane, state, waiting, isDue = 'true' }: DispatchTable) {
  return queryRows(
    query,
    Lateness,
    `select t.${lane} as lane, count(*)::int as count,
       extract(epoch from now() - min(t.next_attempt_at))::float8 as seconds
     from ${name} t where t.${state} = '${waiting}' and t.next_attempt_at <= now() and ${isDue} group by 1`,
    [],
  );
}

/** Leases and reads due rows of each share, or only the row with an id. Nobody else can lease them until the lease ends. */
export function leaseDue(
  query: Query,
  table: DispatchTable,
  select: string,
  shares: readonly Share[],
  id?: number,
) {
  const { name, state } = table;
  // A single row was just found, so its lock is waited for: a failed statement may still hold it.
  const due =
    id === undefined
      ? dueOf(table, { lock: 'for update of t skip locked' })
      : dueOf(table, { and: 'and t.id = $2::int', lock: 'for update of t' });
  return query(
    `with due as (${due}), leased as (
       update ${name} t set
         ${state} = 'Sending', lease_until = now() + ${lease}, attempts = attempts + 1, begun_at = null
       -- An array, because a join would be estimated so large that the whole table is read.
       where t.id = any(array(select id from due))
       returning t.*
     )
     ${select}`,
    [JSON.stringify(shares), ...(id === undefined ? [] : [id])],
  );
}

/** Undoes the final check of a row of which nothing was sent yet, so that it can be checked again. */
export async function takeBackCheck(
  query: Query,
  { name, state }: DispatchTable,
  { id, attempts }: Leased,
): Promise<void> {
  await query(
    `update ${name} t set begun_at = null
     where t.id = $1::int and t.attempts = $2::int and t.${state} = 'Sending' and t.lease_until > clock_timestamp()`,
    [id, attempts],
  );
}

/** A leased row that is about to be sent. */
export interface Beginning extends Leased {
  /** The address, or the number in E.164, that it is sent to. */
  readonly sent_to: string;
  /** The digest by which a text can be found at the provider. */
  readonly sent_digest?: string;
  readonly user_id?: number;
  /** The number in E.164 that a call is about. */
  readonly about?: string;
  /** The age in seconds of what other services said about it. */
  readonly facts_age: number;
}

/**
 * SQL condition: a row `t` is among some rows. An array, because PostgreSQL would otherwise expect so many rows that it reads the
 * whole table or everything that is being sent. They are joined by `t.id + 0`: index look-ups would sort the array again for each
 * row.
 */
export const isAmong = (rows: string) => `t.id = any(array(select id from ${rows}))`;

const beginningRows = `jsonb_to_recordset($1::jsonb)
  wanted (id integer, attempts integer, sent_to text, sent_digest text, user_id integer, about text, facts_age float8)`;

/**
 * Waits until nobody else checks rows that share a limit with these. The messages that others have begun to send are then
 * committed and visible to the next statement.
 */
export async function lockLimits(
  query: Query,
  { name }: DispatchTable,
  keys: readonly string[],
  beginnings: readonly Beginning[],
): Promise<void> {
  const each = keys
    .map((key) => `select hashtext('${name} ' || (${key})) as key from rows t`)
    .join(' union ');
  await query(
    `with wanted as materialized (
       select * from ${beginningRows}
     ), rows as (
       select t.*, wanted.sent_to as wanted_to from wanted join ${name} t on t.id + 0 = wanted.id and ${isAmong('wanted')}
     )
     select pg_advisory_xact_lock(hashtext('limits'), key) from (${each} order by key) limited where key is not null`,
    [JSON.stringify(beginnings)],
  );
}

const Verdict = z.object({
  id: z.int(),
  obstacle: z.int().nullable(),
  until_ms: z.number().nullable(),
  is_begun: z.boolean(),
});

/**
 * The final check: decides for each row that is still leased whether it may be sent now, or which obstacle prevents it. If
 * somebody stops the row at the same time, whoever commits first wins. The lease of a row that may be sent starts again, so that
 * nobody else sends it while a provider is slow.
 */
export function beginSending(
  query: Query,
  { name, state, onBegin }: DispatchTable,
  { facts, joins = '', until = 'null::float8', obstacles, isAlone = false }: FinalCheck,
  beginnings: readonly Beginning[],
) {
  // `coalesce` keeps PostgreSQL from using the index of rows that are being sent, most of whose entries have ended since. `case`
  // keeps it from expecting so few rows that it would scan all wanted rows for each of them.
  const isLeased = `t.id + 0 = wanted.id and t.attempts = wanted.attempts and case when coalesce(t.${state}, '') = 'Sending'
    and t.begun_at is null and t.lease_until > clock_timestamp() then true end`;
  const cases = obstacles.map(({ when }, index) => `when ${when} then ${index}`).join(' ');
  return queryRows(
    query,
    Verdict,
    `with wanted as materialized (
       select * from ${beginningRows}
     ), ${facts ? `${facts}, ` : ''}checked as (
       select wanted.*, case ${cases} end as obstacle, ${until} as until_ms
       from wanted join ${name} t on ${isLeased} and ${isAmong('wanted')} ${joins}
       ${isAlone ? '' : 'order by t.id for update of t'}
     ), begun as (
       update ${name} t set
         begun_at = now(), lease_until = now() + ${lease}, sent_to = wanted.sent_to,
         sent_digest = wanted.sent_digest${onBegin ? `, ${onBegin}` : ''}
       from wanted where ${isLeased} and t.id = any(array(select id from checked where obstacle is null))
       returning t.id
     )
     select id, obstacle, until_ms, id = any(array(select id from begun)) as is_begun from checked`,
    [JSON.stringify(beginnings)],
  );
}
