import type { Query } from '@crm/data';
import type { DispatchTable } from './queue.ts';
import { maxDoubtfulRepeats } from './settlement.ts';

/** Prefix of the reason of a row that cannot be processed and needs somebody's attention. */
export const unfit = 'It cannot be worked on';

/**
 * Postpones a row that cannot be processed by ten minutes, with the reason, so that it does not block others. If it may have been
 * sent to a phone, or by e-mail as often as that is repeated, it is not sent again.
 */
export async function postpone(
  query: Query,
  { name, state, reason, waiting }: DispatchTable,
  id: number,
  error: unknown,
): Promise<void> {
  const isBegun = `t.${state} = 'Sending' and t.begun_at is not null`;
  const isEnded = `${isBegun} and (coalesce(t.sent_to like '+%', false) or t.doubtful_attempts >= ${maxDoubtfulRepeats})`;
  await query(
    `update ${name} t set
       ${state} = case when ${isEnded} then 'Unknown' else '${waiting}' end,
       begun_at = coalesce(t.begun_at, t.doubtful_since), doubtful_since = coalesce(t.doubtful_since, t.begun_at),
       doubtful_attempts = t.doubtful_attempts + case when ${isBegun} then 1 else 0 end,
       ${reason} = left($2::text, 500), lease_until = null,
       next_attempt_at = now() + interval '10 minutes'
     where t.id = $1::int and t.${state} in ('${waiting}', 'Sending')`,
    [id, `${unfit}: ${error}`],
  );
}
