import type { Query } from '@crm/data';
import { lostAnswer } from '@crm/dispatch';
import { type Settled, settledColumns } from './communication-dispatch.queries.ts';

/** Whether a worker that is gone has left anything behind: asked often, and so apart from the transaction that mends it. */
export async function isAnyAbandoned(query: Query): Promise<boolean> {
  const [row] = await query(
    `select exists (
       select from communications where dispatch_state = 'Sending' and lease_until < now()
     ) as is_any`,
    [],
  );
  return row?.is_any === true;
}

/**
 * Gives up the communications of workers that are gone, for others to take. What may have been taken by a provider that
 * does not know its key again is not sent a second time, unless it is an e-mail, which its reader knows again.
 */
export async function releaseAbandoned(query: Query, honoursKeys: boolean): Promise<Settled[]> {
  const isLost = "c.type <> 'Email Contact' and c.begun_at is not null and not $1::boolean";
  const rows = await query(
    `update communications c set
       dispatch_state = case when ${isLost} then 'Failed' else 'Scheduled' end,
       dispatch_reason = case when ${isLost} then $2::text else dispatch_reason end,
       begun_at = case when ${isLost} then begun_at end,
       lease_until = null, modified_at = now(), version = version + 1
     where id in (
       select id from communications where dispatch_state = 'Sending' and lease_until < now()
       order by lease_until limit 500 for update skip locked
     )
     returning ${settledColumns}`,
    [honoursKeys, lostAnswer],
  );
  return rows as unknown as Settled[];
}
