import { randomUUID } from 'node:crypto';
import { batched } from '@crm/client';
import { refusalIn, type WorkerContext } from '@crm/service';
import type { DueRow } from './due-row.ts';
import type { Queue } from './queue.ts';
import type { Monotonic } from './row-store.ts';
import { unfit } from './unfit-rows.queries.ts';

/** Why a row waits that nothing is known about now. */
export const noAnswer = 'Another service did not respond.';

/** What other services knew about some rows at a moment. */
export interface Known<Facts> {
  readonly facts: Facts;
  readonly at: Monotonic;
}

/** What is known about a row, or why it is not: another service does not respond, or refuses to. */
export type FactsOrReason<Facts> = Known<Facts> | { readonly because: string };

/**
 * Asks other services about rows. If one refuses, it is asked about each row, so that only a row that it refuses by itself
 * stays unknown.
 */
export async function askAbout<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  context: Pick<WorkerContext, 'peers' | 'log'>,
  rows: readonly Due[],
): Promise<ReadonlyMap<Due, FactsOrReason<Facts>>> {
  const at = performance.now();
  try {
    const facts = await queue.load({ peers: context.peers, requestId: randomUUID() }, rows);
    return new Map(rows.map((row) => [row, { facts, at }]));
  } catch (error) {
    const refused = refusalIn(error);
    const isUnavailable = refused?.name === 'Unavailable';
    if (!isUnavailable && rows.length > 1) {
      const each = await Promise.all(rows.map((row) => askAbout(queue, context, [row])));
      return new Map(each.flatMap((one) => [...one]));
    }
    context.log.warn({ err: error }, `${queue.what} wait because another service does not respond`);
    const because = refused && !isUnavailable ? `${unfit}: ${error}` : noAnswer;
    return new Map(rows.map((row) => [row, { because }]));
  }
}

/** Asks about single rows: those that come while others are being asked about are asked about together. */
export function askingAgain<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  context: Pick<WorkerContext, 'peers' | 'log'>,
): (row: Due) => Promise<FactsOrReason<Facts> | undefined> {
  return batched(async (rows: readonly Due[]) => {
    const known = await askAbout(queue, context, rows);
    return rows.map((row) => known.get(row));
  });
}
