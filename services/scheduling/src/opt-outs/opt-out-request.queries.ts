import { Cause } from '@crm/contract';
import { dueRows, type Query, queryRow, queryRows, storedInstant } from '@crm/data';
import { causeText } from '@crm/service';
import { z } from 'zod';

const RequestedOptOut = z.object({
  id: z.int(),
  what: z.enum(['unsubscribe', 'end texts', 'continue texts']),
  destination: z.string(),
  requested_at: storedInstant,
});

/** A decision of a recipient or an agent about messages to an address or a number. */
export type RequestedOptOut = z.output<typeof RequestedOptOut>;

const columns = 'id, what, destination, requested_at';

/** As long as the request or the worker that has leased it may take; then another worker tries. */
const leased = "now() + interval '15 seconds'";

/** Stores a decision that contacts does not know yet, leased for the current request. */
export function addOptOutRequest(
  query: Query,
  { what, destination, requested_at }: Omit<RequestedOptOut, 'id'>,
  request: { readonly requestId: string },
): Promise<RequestedOptOut> {
  return queryRow(
    query,
    RequestedOptOut,
    `insert into opt_out_requests (what, destination, requested_at, next_attempt_at, cause)
     values ($1, lower($2), $3::timestamptz, ${leased}, $4::jsonb) returning ${columns}`,
    [what, destination, requested_at, causeText(request)],
  );
}

const LeasedOptOut = RequestedOptOut.extend({ cause: Cause.nullable() });

/** Leases decisions that have not been sent to contacts. */
export function leaseOptOuts(query: Query, limit: number) {
  return queryRows(
    query,
    LeasedOptOut,
    `with due as (${dueRows(
      'next_attempt_at',
      (isDue) => `select id from opt_out_requests where settled_at is null and ${isDue}
        order by next_attempt_at limit $1 for update skip locked`,
    )})
     update opt_out_requests r set next_attempt_at = ${leased} from due where r.id = due.id
     returning r.id, what, destination, requested_at, cause`,
    [limit],
  );
}

export async function markOptOutSettled(query: Query, id: number): Promise<void> {
  await query('update opt_out_requests set settled_at = now() where id = $1', [id]);
}

/** Deletes decisions that contacts has known for longer than any message takes to prepare. */
export async function forgetSettledOptOuts(query: Query): Promise<void> {
  await query("delete from opt_out_requests where settled_at < now() - interval '1 day'", []);
}

/**
 * SQL condition: somebody has opted out of messages to `wanted.sent_to` since the facts were loaded. One second more, because
 * they were loaded before the statement from which their age counts.
 */
export const isJustOptedOut = `exists (
  select from opt_out_requests r
  where mailbox_of(r.destination) = mailbox_of(wanted.sent_to) and r.what <> 'continue texts'
    and (r.settled_at is null or r.settled_at > now() - make_interval(secs => wanted.facts_age + 1))
)`;
