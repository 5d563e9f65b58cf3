import { hasRows, type Query, queryIds, queryRows } from '@crm/data';
import { z } from 'zod';
import { lease } from './lease.ts';
import type { DispatchTable } from './queue.ts';

/** SQL condition: the lease of a row `t` ends later than any lease can, so it was given while the database clock was ahead. */
const endsTooLate = `t.lease_until > now() + 2 * ${lease}`;

/** Whether any lease has expired or ends too late. Runs often, and therefore outside the transaction that releases the rows. */
export function isAnyAbandoned(query: Query, { name, state }: DispatchTable): Promise<boolean> {
  const isAny = (condition: string) =>
    `(select from ${name} t where t.${state} = 'Sending' and ${condition} limit 1)`;
  return hasRows(query, `${isAny('t.lease_until < now()')} union all ${isAny(endsTooLate)}`, []);
}

/** Shortens leases that end too late to a whole lease, because their workers may still be sending. */
export async function shortenLeases(query: Query, { name, state }: DispatchTable): Promise<void> {
  await query(
    `update ${name} set lease_until = now() + ${lease} where id = any(array(
       select t.id from ${name} t where t.${state} = 'Sending' and ${endsTooLate} for update skip locked))`,
    [],
  );
}

const Abandoned = z.object({
  id: z.int(),
  attempts: z.int(),
  reason: z.string().nullable(),
  /** Whether it may have been sent. */
  is_begun: z.boolean(),
  /** Whether it may have been sent to a phone, which cannot recognize a duplicate. */
  is_sent_to_phone: z.boolean(),
});

/** Some rows whose lease has expired, or only the row with `id`, locked until the transaction ends. */
export function lockAbandoned(query: Query, { name, state, reason }: DispatchTable, id: number | null) {
  return queryRows(
    query,
    Abandoned,
    `select t.id, t.attempts, t.${reason} as reason,
       t.begun_at is not null as is_begun,
       t.begun_at is not null and coalesce(t.sent_to like '+%', false) as is_sent_to_phone
     from ${name} t where t.${state} = 'Sending' and t.lease_until < now() and ($1::int is null or t.id = $1::int)
     order by t.lease_until limit 500 for update skip locked`,
    [id],
  );
}

/** The ids of rows whose lease has expired. */
export function abandonedIds(query: Query, { name, state }: DispatchTable): Promise<number[]> {
  return queryIds(
    query,
    `select t.id from ${name} t where t.${state} = 'Sending' and t.lease_until < now() order by t.lease_until limit 500`,
    [],
  );
}
