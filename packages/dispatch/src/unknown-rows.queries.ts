import { Cause } from '@crm/contract';
import { type MessageTable, type Query, queryFirst, queryRow, queryRows } from '@crm/data';
import { deliveryStates, type StatusReport, toleranceMs } from '@crm/delivery';
import { z } from 'zod';
import type { Leased } from './due-row.ts';
import type { DispatchTable } from './queue.ts';

export const UnknownRow = z.object({
  id: z.int(),
  attempts: z.int(),
  sent_to: z.string(),
  sent_digest: z.string().nullable(),
  delivery_state: z.enum(deliveryStates).nullable(),
  /** In milliseconds since 1970. */
  begun: z.number(),
  seconds_unknown: z.number(),
});

/** A row that the provider may or may not have accepted. */
export type UnknownRow = z.output<typeof UnknownRow>;

const columns = `t.id, t.attempts, t.sent_to, t.sent_digest, t.delivery_state,
  extract(epoch from t.begun_at)::float8 * 1000 as begun, extract(epoch from now() - t.begun_at)::float8 as seconds_unknown`;

/** SQL of rows whose outcome is unknown, with the time at which the provider is next asked. */
export const unknownRows = ({ name, state }: DispatchTable): string =>
  `(select t.next_attempt_at as due_at from ${name} t where t.${state} = 'Unknown' order by t.next_attempt_at limit 1)`;

/** Some rows whose outcome is unknown, reserved for this caller for a minute. */
export function leaseUnknown(query: Query, { name, state }: DispatchTable) {
  return query(
    `update ${name} t set next_attempt_at = now() + interval '1 minute'
     where t.id = any(array(
       select id from ${name} where ${state} = 'Unknown' and next_attempt_at <= now()
       order by next_attempt_at limit 20 for update skip locked
     ))
     returning ${columns}`,
    [],
  );
}

/** Asks again later, or never. */
export async function askLater(
  query: Query,
  { name, state }: DispatchTable,
  { id, attempts }: Leased,
  seconds: number,
): Promise<void> {
  await query(
    `update ${name} set next_attempt_at = now() + make_interval(secs => $3::float8)
     where id = $1::int and attempts = $2::int and ${state} = 'Unknown'`,
    [id, attempts, seconds],
  );
}

const KnownReference = z.object({ reference: z.string() });

/** The references, out of those sent to a number, that belong to rows of some tables. */
export async function referencesOf(
  query: Query,
  tables: readonly MessageTable[],
  to: string,
  references: readonly string[],
): Promise<ReadonlySet<string>> {
  const each = tables.map(
    ({ name }) =>
      `select t.reference from ${name} t where t.sent_to = $1::text and t.reference = any($2::text[])`,
  );
  const rows = await queryRows(query, KnownReference, each.join(' union all '), [to, references]);
  return new Set(rows.map(({ reference }) => reference));
}

const Count = z.object({ count: z.int() });

/**
 * Counts the other rows of some tables that may be the listed calls to a row's number at its time. The provider lists no words of
 * calls, and has not reported yet which rows they belong to.
 */
export async function countOtherCalls(
  query: Query,
  tables: readonly MessageTable[],
  own: DispatchTable,
  { id, sent_to, begun }: UnknownRow,
): Promise<number> {
  const each = tables.map(
    ({ name, state }) => `(select count(*) from ${name} t
      where t.sent_to = $1::text and t.sent_digest is null and t.reference is null and t.${state} in ('Sending', 'Unknown')
        and abs(extract(epoch from t.begun_at) * 1000 - $2::float8) <= ${2 * toleranceMs}
        and ('${name}', t.id) <> ('${own.name}', $3::int))`,
  );
  const { count } = await queryRow(query, Count, `select (${each.join(' + ')})::int as count`, [
    sent_to,
    begun,
    id,
  ]);
  return count;
}

const Noted = z.object({
  id: z.int(),
  attempts: z.int(),
  sent_to: z.string().nullable(),
  lane: z.string(),
  is_decided: z.boolean(),
  cause: Cause.nullable(),
});

/**
 * Stores the status that the provider gives for the row with a key, unless it has already given a later one. Returns the row, if
 * it exists, and whether the status decides its outcome: because that is unknown, or because the row was given up although the
 * provider accepted it.
 */
export function noteDeliveryState(
  query: Query,
  { name, lane, state, reason }: DispatchTable,
  key: string,
  report: Pick<StatusReport, 'reference' | 'state' | 'reason'>,
) {
  const rank = (value: string) => `array_position(array['${deliveryStates.join("', '")}'], ${value})`;
  const isLater = `(t.delivery_state is null or ${rank('t.delivery_state::text')} < ${rank('$2::text')})`;
  return queryFirst(
    query,
    Noted,
    `update ${name} t set
       reference = coalesce(t.reference, $3::text),
       delivery_state = case when ${isLater} then $2::text else t.delivery_state end,
       ${reason} = case when ${isLater} then coalesce(left($4::text, 500), t.${reason}) else t.${reason} end
     where t.key = $1::uuid returning t.id, t.attempts, t.sent_to, t.${lane} as lane, t.cause,
       t.${state} = 'Unknown' or t.${state} in ('Failed', 'Dropped') and t.begun_at is not null
         and t.delivery_state <> 'Failed' as is_decided`,
    [key, report.state, report.reference, report.reason ?? null],
  );
}
