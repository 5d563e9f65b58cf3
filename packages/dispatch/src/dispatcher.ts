import { waker } from '@crm/messaging';
import {
  atMostEvery,
  dueIn,
  type Logger,
  repeatAfterCommits,
  type Worker,
  type WorkerContext,
} from '@crm/service';
import type { DueRow } from './due-row.ts';
import { providerMs } from './lease.ts';
import { observeQueue } from './observe-queue.ts';
import { type Delivering, type Dispatch, openDispatch } from './open-dispatch.ts';
import type { Free, Queue } from './queue.ts';
import { unknownRows } from './unknown-rows.queries.ts';
import { upcoming } from './upcoming-rows.queries.ts';

/** Rows become due by commits and by the passing of time. */
const pollMs = 250;
/** Used when rows are due but cannot be leased yet. */
const waitingMs = 1_000;
/**
 * No notification announces rows that another process has leased. This is shorter than a lease, whose end is known in advance.
 */
const longestMs = 20_000;
const failingMs = 1_000;
const reconcileMs = 5_000;

/** Sends rows when they are due. Any number of instances may run. */
export const dispatcher =
  <Due extends DueRow, Facts>(queue: Queue<Due, Facts>, delivery: Delivering): Worker =>
  async (context) =>
    run(queue, openDispatch(queue, delivery, context), context);

/** Leases rows until it is stopped, and then waits for those that are being sent. */
function run<Due extends DueRow, Facts>(
  queue: Queue<Due, Facts>,
  dispatch: Dispatch<Due>,
  { commits, database: { query }, log }: WorkerContext,
) {
  const { what, slots, table } = queue;
  const waking = waker();
  const lanes = Object.keys(slots);
  const { lease, batches } = leaser(queue, dispatch, log, waking.wake);
  const idleMs = async () => {
    // Finished sends free slots, which wakes the loop. Querying as often as that would cost more than the rows themselves.
    if (batches.size > 0) return pollMs;
    const ms = (await dueIn(query, upcoming(table, lanes))) ?? longestMs;
    return commits.idleMs(pollMs, ms > 0 ? Math.min(ms, longestMs) : waitingMs);
  };
  const leasing = leaseLoop(what, lease, idleMs, waking, log);
  const unsubscribe = commits.subscribe(atMostEvery(pollMs, waking.wake));
  const reconcile = async () => {
    await dispatch.reconcile();
    return dueIn(query, unknownRows(table));
  };
  const reconciling = repeatAfterCommits(`reconcile ${what}`, reconcileMs, reconcile, { commits, log });
  const observing = observeQueue(queue, query);
  return {
    async stop() {
      observing();
      unsubscribe();
      await Promise.all([leasing.stop(), reconciling.stop()]);
      // E-mails get no more time than other providers take, so that the process ends in time.
      const patience = setTimeout(dispatch.endEmails, providerMs);
      await Promise.all(batches);
      clearTimeout(patience);
      await dispatch.close();
    },
  };
}

/** Leases rows repeatedly, and waits when none could be leased. */
function leaseLoop(
  what: string,
  lease: () => Promise<number>,
  idleMs: () => Promise<number>,
  { wake, clear, wait }: ReturnType<typeof waker>,
  log: Logger,
) {
  let stopped = false;
  async function untilStopped() {
    while (!stopped) {
      clear();
      try {
        if ((await lease()) === 0) await wait(await idleMs());
      } catch (error) {
        log.error({ err: error }, `${what} cannot be leased`);
        await wait(failingMs);
      }
    }
  }
  const running = untilStopped();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}

/** Leases as many rows as there are free slots, and sends them without waiting for the result. */
function leaser<Due extends DueRow, Facts>(
  { what, slots, laneOf }: Queue<Due, Facts>,
  dispatch: Dispatch<Due>,
  log: Logger,
  wake: () => void,
) {
  const free = freeSlots(Object.keys(slots), dispatch.slots);
  const batches = new Set<Promise<void>>();
  const ended = (row: Due) => {
    if (free.release(laneOf(row))) wake();
  };
  return {
    batches,
    /** Returns how many were leased. */
    async lease(): Promise<number> {
      const rows = await dispatch.lease(free.wanted());
      for (const row of rows) free.occupy(laneOf(row));
      if (rows.length === 0) return 0;
      const batch = dispatch
        .send(rows, ended)
        .catch((error: unknown) => log.error({ err: error }, `${what} were left unfinished`))
        .finally(() => batches.delete(batch));
      batches.add(batch);
      return rows.length;
    },
  };
}

/** Counts the free slots of each lane. */
function freeSlots(lanes: readonly string[], slots: (lane: string) => number) {
  const used = new Map<string, number>();
  const usedOf = (lane: string) => used.get(lane) ?? 0;
  const leftOf = (lane: string) => Math.max(0, slots(lane) - usedOf(lane));

  const leasedAt = new Map<string, number>();

  /** A lane is filled when half of its slots are free, because single rows would cost one statement each. */
  const isHalfFree = (lane: string) => leftOf(lane) >= slots(lane) / 2;
  /** Or after a moment, so that a lane with few rows does not wait for half of its slots to become free. */
  const isWanted = (lane: string) =>
    isHalfFree(lane) || (leftOf(lane) > 0 && performance.now() - (leasedAt.get(lane) ?? 0) > pollMs);

  return {
    wanted: (): Free => Object.fromEntries(lanes.filter(isWanted).map((lane) => [lane, leftOf(lane)])),
    occupy(lane: string): void {
      used.set(lane, usedOf(lane) + 1);
      leasedAt.set(lane, performance.now());
    },
    /** Returns whether rows of the lane are to be leased now. */
    release(lane: string): boolean {
      used.set(lane, usedOf(lane) - 1);
      return isHalfFree(lane);
    },
  };
}
