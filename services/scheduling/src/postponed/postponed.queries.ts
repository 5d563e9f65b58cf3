import { type Query, queryRows } from '@crm/data';
import { RowProblem } from '@crm/service';

/** Postpones rows that cannot be processed by ten minutes, with the reason. */
export async function postponeRows(
  query: Query,
  table: 'communications' | 'tasks',
  ids: readonly number[],
  reason: string,
): Promise<void> {
  await query(
    `update ${table} set problem = left($2::text, 500), postponed_until = now() + interval '10 minutes'
     where id = any($1::int[])`,
    [ids, reason],
  );
}

const tables = ['communications', 'tasks', 'task_series', 'enrolment_ends', 'inbound_texts'] as const;

/** How many rows of each table are postponed, with one of the reasons. */
export function postponedRows(query: Query): Promise<RowProblem[]> {
  const postponed = tables.map(
    (table) => `select '${table}' as what, count(*)::int as count, max(problem) as reason from ${table}
      where problem is not null having count(*) > 0`,
  );
  return queryRows(query, RowProblem, postponed.join(' union all '), []);
}
