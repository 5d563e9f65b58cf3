import { openTransaction, untilWaiting } from '@crm/testing';
import type { LeadsUnderTest } from './harness.ts';

/**
 * Locks the row of a lead while the actions start, each only when the previous one waits for the row. They then
 * continue in this order, after all of them have seen the lead in its earlier state.
 */
export async function inTurnOnLead<Result>(
  { database, rows }: Pick<LeadsUnderTest, 'database' | 'rows'>,
  lead_id: number,
  actions: readonly (() => Promise<Result>)[],
): Promise<PromiseSettledResult<Result>[]> {
  const begun: Promise<PromiseSettledResult<Result>>[] = [];
  await using held = await openTransaction(database, 'select from leads where id = $1 for update', [lead_id]);
  for (const action of actions) {
    begun.push(Promise.allSettled([action()]).then(([result]) => result));
    await untilWaiting(rows, begun);
  }
  await held.rollback();
  return Promise.all(begun);
}
