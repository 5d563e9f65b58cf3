import { type Query, queryRows } from '@crm/data';
import { RowProblem } from '@crm/service';
import { z } from 'zod';
import type { DispatchTable, FinalCheck } from './queue.ts';
import { unfit } from './unfit-rows.queries.ts';

/** Attempts that may fail before somebody has to look: those of the first half minute. */
const usual = 3;

/** Rows that wait longer than this were moved on purpose. */
const longestPause = "interval '31 minutes'";

/**
 * Counts rows that failed repeatedly, or whose outcome has been unknown for long but less than a week, with one of the reasons.
 */
export async function problemsIn(
  query: Query,
  { name, state, reason, waiting }: DispatchTable,
): Promise<RowProblem[]> {
  return queryRows(
    query,
    RowProblem,
    `select '${name} unsent' as what, count(*)::int as count, max(t.${reason}) as reason from ${name} t
     where t.${state} = '${waiting}' and (t.attempts > ${usual} or t.${reason} like '${unfit}%')
         and t.${reason} is not null and t.next_attempt_at < now() + ${longestPause}
       or t.${state} = 'Unknown' and t.begun_at between now() - interval '7 days' and now() - interval '10 minutes'
     having count(*) > 0`,
    [],
  );
}

const Failing = z.object({ lane: z.string(), count: z.int() });

/**
 * Counts the due rows of each lane that failed repeatedly because of their provider or of another service. Rows that the final
 * check holds back are excluded. Rows that wait for another attempt are not due yet, so their lateness says nothing.
 */
export function failing(
  query: Query,
  { name, lane, state, reason, waiting, isDue = 'true', dueImplies = 'true' }: DispatchTable,
  { obstacles }: Pick<FinalCheck, 'obstacles'>,
) {
  const isFailing = `t.attempts > ${usual} and t.${reason} <> all($1::text[])`;
  return queryRows(
    query,
    Failing,
    `select lane, count(*)::int as count from (
       select t.${lane} as lane from ${name} t
       where t.${state} = '${waiting}' and t.next_attempt_at < now() + ${longestPause} and ${isDue} and ${dueImplies} and ${isFailing}
       -- The next attempt of one of them.
       union all select t.${lane} from ${name} t where t.${state} = 'Sending' and ${isFailing}
     ) failing group by 1`,
    [obstacles.map((obstacle) => obstacle.reason)],
  );
}
