import { randomUUID } from 'node:crypto';
import { batched } from '@crm/client';
import { refusalIn, type WorkerContext } from '@crm/service';
import type { DueRow } from './due-row.ts';
import type { Queue } from './queue.ts';
import type { Monotonic } from './row-store.ts';
import { unfit } from './unfit-rows.queries.ts';

/** The reason of a row that waits because its facts could not be loaded. */
export const noAnswer = 'Another service did not respond.';

/** The facts that other services had about some rows at a moment. */
export interface Known<Facts> {
  readonly facts: Facts;
  readonly at: Monotonic;
}

/** The facts about a row, or why there are none: another service does not respond, or refuses. */
export type FactsOrReason<Facts> = Known<Facts> | { readonly because: string };

/**
 * Asks other services about rows. If one refuses, it is asked about each row separately, so that only the refused rows remain
 * unknown.
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

/** Asks about single rows. Rows that arrive during a request are combined into the next one. */
export function askingAgain<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  context: Pick<WorkerContext, 'peers' | 'log'>,
): (row: Due) => Promise<FactsOrReason<Facts> | undefined> {
  return batched(async (rows: readonly Due[]) => {
    const known = await askAbout(queue, context, rows);
    return rows.map((row) => known.get(row));
  });
}
