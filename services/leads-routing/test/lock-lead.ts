import { setTimeout as wait } from 'node:timers/promises';
import type { LeadsUnderTest } from './harness.ts';

/**
 * Locks the row of a lead while the actions start, each only when the previous one waits for the row. They then
 * continue in this order, all having seen the lead as it was before.
 */
export async function inTurnOnLead<Result>(
  { database, rows }: Pick<LeadsUnderTest, 'database' | 'rows'>,
  lead_id: number,
  actions: readonly (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const holder = await database.pool.connect();
  try {
    await holder.query('begin');
    await holder.query('select from leads where id = $1 for update', [lead_id]);
    const begun: Promise<PromiseSettledResult<Result>>[] = [];
    for (const action of actions) {
      begun.push(Promise.allSettled([action()]).then(([result]) => result));
      await untilWaiting(rows, begun.length);
    }
    await holder.query('rollback');
    return await Promise.all(begun);
  } finally {
    holder.release();
  }
}

async function untilWaiting(rows: LeadsUnderTest['rows'], count: number) {
  for (;;) {
    const [waiting] = await rows(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (waiting?.count === count) return;
    await wait(5);
  }
}
