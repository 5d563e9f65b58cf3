import { type Query, queryRows } from '@crm/data';
import { lostAnswer } from '@crm/dispatch';
import { z } from 'zod';
import { Settled, settledColumns } from './communication-dispatch.queries.ts';

/** Whether any lease has expired: asked often, and therefore outside the transaction that releases the communications. */
export async function isAnyAbandoned(query: Query): Promise<boolean> {
  const [row] = await queryRows(
    query,
    z.object({ is_any: z.boolean() }),
    `select exists (
       select from communications where dispatch_state = 'Sending' and lease_until < now()
     ) as is_any`,
    [],
  );
  return row?.is_any ?? false;
}

/**
 * Releases the communications whose lease has expired, for others to send. What a provider that does not recognise keys
 * may have accepted is not sent a second time, unless it is an e-mail, which its reader's mail program recognises.
 */
export async function releaseAbandoned(query: Query, honoursKeys: boolean): Promise<Settled[]> {
  const isLost = "c.type <> 'Email Contact' and c.begun_at is not null and not $1::boolean";
  return queryRows(
    query,
    Settled,
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
}
