import { randomUUID } from 'node:crypto';
import type { WorkerContext } from '@crm/service';
import type { DueRow, Queue } from './queue.ts';
import type { Monotonic } from './row-store.ts';

/** What other services knew about some rows at a moment. */
export interface Known<Facts> {
  readonly facts: Facts;
  readonly at: Monotonic;
}

/** Asks other services about rows; returns nothing if one does not respond. */
export async function askAbout<Lane extends string, Row extends DueRow, Facts, Settled>(
  { load, what }: Queue<Lane, Row, Facts, Settled>,
  { peers, log }: Pick<WorkerContext, 'peers' | 'log'>,
  rows: readonly Row[],
): Promise<Known<Facts> | undefined> {
  const at = performance.now();
  try {
    return { facts: await load({ peers, requestId: randomUUID() }, rows), at };
  } catch (error) {
    log.warn({ err: error }, `${what} wait because another service does not respond`);
    return undefined;
  }
}
