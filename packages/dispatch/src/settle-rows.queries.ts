import type { Query, Row } from '@crm/data';
import { z } from 'zod';
import { isAmong } from './due-rows.queries.ts';
import type { DispatchTable } from './queue.ts';
import {
  askAfterSeconds,
  earlierAttempt,
  lostAnswers,
  maxDoubtfulRepeats,
  type StoredOutcome,
} from './settlement.ts';

/**
 * SQL of outcomes with the states that they lead to. `may_be_sent`: this attempt did not send the message, and there is no
 * further one, but an earlier attempt may have. `is_spent`: an e-mail may have been sent as often as it may be repeated.
 */
const outcomesOf = (name: string) => `stored as materialized (
    select * from jsonb_to_recordset($1::jsonb) given (id integer, attempts integer, state text, reason text,
      seconds float8, until timestamptz, reference text, is_doubtful boolean, is_reported boolean)
  ), given as materialized (
    select given.*,
      t.doubtful_since is not null and given.state in ('Failed', 'Dropped') and given.is_reported is not true as may_be_sent,
      given.is_doubtful is true and t.sent_to not like '+%' and t.doubtful_attempts >= ${maxDoubtfulRepeats} as is_spent
    from stored given join ${name} t on t.id + 0 = given.id and ${isAmong('stored')}
  ), outcome as (
    select id, attempts, until, reference, may_be_sent, is_doubtful,
      case when may_be_sent or is_spent then 'Unknown' else state end as state,
      case when may_be_sent then concat_ws(' ', '${earlierAttempt}', reason)
        when is_spent then concat_ws(' ', '${lostAnswers}', reason) else reason end as reason,
      case when may_be_sent or is_spent then ${askAfterSeconds} else seconds end as seconds
    from given
  )`;

/** A row that now has an outcome. */
const Ended = z.object({ ended_lane: z.string(), ended_state: z.string() });

interface Stored {
  /** The rows, with the requested columns. */
  readonly settled: readonly Row[];
  readonly ended: readonly z.output<typeof Ended>[];
}

/**
 * Stores outcomes, except for rows that were removed or that another worker has leased since.
 * - `Unknown` is replaced by what is known now. A repetition of the same outcome, because storing it was not confirmed, changes
 *   nothing.
 * - `Failed` or `Dropped` becomes sent if the provider has accepted the message after all.
 * - `Failed` or `Dropped` is stored as `Unknown` if an earlier attempt may have sent the message. The provider of texts and calls
 *   is then asked; that of e-mails cannot be.
 * - An e-mail that may have been sent as often as it may be repeated becomes `Unknown`.
 */
export async function settle(
  query: Query,
  { name, lane, state, reason, waiting, sent, onSettle }: DispatchTable,
  outcomes: readonly StoredOutcome[],
  columns = 't.id',
): Promise<Stored> {
  const settled = await query(
    `with ${outcomesOf(name)}
     update ${name} t set
       ${state} = outcome.state, ${reason} = left(outcome.reason, 500), lease_until = null,
       -- If this attempt has not sent the message: the time of the earlier one that may have, if there is one.
       begun_at = case when outcome.state <> '${waiting}' and not outcome.may_be_sent or outcome.is_doubtful then t.begun_at
         else t.doubtful_since
       end,
       doubtful_attempts = t.doubtful_attempts + case when outcome.is_doubtful then 1 else 0 end,
       doubtful_since = case when outcome.may_be_sent then t.doubtful_since when outcome.state <> '${waiting}' then null
         when outcome.is_doubtful then coalesce(t.doubtful_since, t.begun_at) else t.doubtful_since
       end,
       next_attempt_at = case
         when outcome.state in ('${waiting}', 'Unknown') then coalesce(outcome.until, now() + make_interval(secs => outcome.seconds))
         else t.next_attempt_at
       end,
       reference = coalesce(outcome.reference, t.reference)${onSettle ? `, ${onSettle}` : ''}
     from outcome
     where t.id + 0 = outcome.id and t.attempts = outcome.attempts and ${isAmong('stored')}
       -- In a \`case\`, as in the final check.
       and case when coalesce(t.${state}, '') = 'Sending'
         or coalesce(t.${state}, '') = 'Unknown' and outcome.state <> 'Unknown'
         or coalesce(t.${state}, '') in ('Failed', 'Dropped') and t.begun_at is not null and outcome.state = '${sent}' then true end
     returning ${columns}, t.${lane} as ended_lane, t.${state} as ended_state`,
    [JSON.stringify(outcomes)],
  );
  return { settled, ended: settled.map((row) => Ended.parse(row)) };
}
