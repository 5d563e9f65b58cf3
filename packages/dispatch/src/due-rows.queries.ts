import { type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';
import type { Leased } from './due-row.ts';
import { lease } from './lease.ts';
import type { DispatchTable, FinalCheck, Share } from './queue.ts';

/** The ids of rows of each share that are due, the longest due first, in SQL; `more` is a further condition and a lock. */
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

/** The ids of rows that are due, which are not leased. */
export function dueIds(query: Query, table: DispatchTable, shares: readonly Share[]): Promise<number[]> {
  return queryIds(query, dueOf(table, { lock: '' }), [JSON.stringify(shares)]);
}

const Lateness = z.object({ lane: z.string(), count: z.int(), seconds: z.number() });

/** How many rows of each lane are due and not sent yet, and for how long the oldest of them has been. */
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

/** Leases due rows of each share, or one of them, as they are read. Until its lease ends, nobody else gets one. */
export function leaseDue(
  query: Query,
  table: DispatchTable,
  select: string,
  shares: readonly Share[],
  id?: number,
) {
  const { name, state } = table;
  // One that was just found is waited for, because a statement that failed may still hold its lock.
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

/** Takes back the final check of a row of which nothing was sent yet, so that it can be checked again. */
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
  /** By which a text can be found at the provider. */
  readonly sent_digest?: string;
  readonly user_id?: number;
  /** The number in E.164 that a call is about. */
  readonly about?: string;
  /** For how many seconds what other services know about it has been known. */
  readonly facts_age: number;
}

/**
 * In SQL, that a row `t` is one of some rows. An array, because PostgreSQL takes them for so many that it would read all of a
 * table, or all that is being sent. They are joined by `t.id + 0`: looked up one by one, each would sort the array again.
 */
export const isAmong = (rows: string) => `t.id = any(array(select id from ${rows}))`;

const beginningRows = `jsonb_to_recordset($1::jsonb)
  wanted (id integer, attempts integer, sent_to text, sent_digest text, user_id integer, about text, facts_age float8)`;

/**
 * Waits until nobody else checks rows that share a limit with these. What others have begun to send is then committed, and
 * the next statement sees it.
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
 * The final check: for each row that is still leased, whether it may be sent now, or which obstacle there is. Between
 * this and somebody who stops the row, whoever commits first wins. The lease of a row that may be sent starts again, so
 * that nobody else sends it while a provider is slow.
 */
export function beginSending(
  query: Query,
  { name, state, onBegin }: DispatchTable,
  { facts, joins = '', until = 'null::float8', obstacles, isAlone = false }: FinalCheck,
  beginnings: readonly Beginning[],
) {
  // `coalesce` hides the state from the index of what is being sent, most of which has ended since. In a `case`, because
  // PostgreSQL would expect so few rows that it looks through all wanted ones for each of them.
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
