import { type Query, queryRows } from '@crm/data';
import type { RowProblem } from '@crm/service';
import { z } from 'zod';

/** Postpones rows that cannot be worked on by ten minutes, with the reason. */
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

const Count = z.object({ count: z.int(), reason: z.string().nullable() });

/** How many rows of each table are postponed, with one of the reasons. */
export function postponedRows(query: Query): Promise<RowProblem[]> {
  return Promise.all(
    tables.map(async (what) => {
      const text = `select count(*)::int as count, max(problem) as reason from ${what} where problem is not null`;
      const [found = { count: 0, reason: null }] = await queryRows(query, Count, text, []);
      return { what, ...found };
    }),
  );
}
