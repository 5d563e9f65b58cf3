import { waker } from '@crm/messaging';
import { atMostEvery } from './at-most-every.ts';
import type { WorkerContext } from './definition.ts';
import type { Logger } from './log.ts';

/** Repeats work `everyMs` after it last ended. A failure is logged, and the work is retried. */
export function repeat(name: string, everyMs: number, work: () => Promise<void>, log: Logger) {
  return untilStopped(name, () => everyMs, work, log);
}

/** Repeats work like `repeat`, but runs it at once the first time. */
export function repeatAtOnce(name: string, everyMs: number, work: () => Promise<void>, log: Logger) {
  const repeated = repeat(name, everyMs, work, log);
  repeated.wake();
  return repeated;
}

/**
 * Work does not normally wait this long: this is for notifications that were lost with a connection, and for rows changed by
 * hand.
 */
const longestMs = 30_000;
const failedMs = 5_000;

/**
 * Runs work at the start, after commits, and when the next row is due, which the work returns in milliseconds: at most every
 * `everyMs`, and at least every half minute. A failure is logged, and the work is retried.
 */
export function repeatAfterCommits(
  name: string,
  everyMs: number,
  work: () => Promise<number | undefined>,
  { commits, log }: Pick<WorkerContext, 'commits' | 'log'>,
) {
  // Work that is already due at the start.
  let dueMs = 0;
  const workOnce = async () => {
    dueMs = failedMs;
    dueMs = (await work()) ?? longestMs;
  };
  const waitMs = () => commits.idleMs(everyMs, Math.min(Math.max(everyMs, dueMs), longestMs));
  const repeated = untilStopped(name, waitMs, workOnce, log);
  const unsubscribe = commits.subscribe(atMostEvery(everyMs, repeated.wake));
  return {
    async stop() {
      unsubscribe();
      await repeated.stop();
    },
  };
}

function untilStopped(name: string, waitMs: () => number, work: () => Promise<void>, log: Logger) {
  const { clear, wait, wake } = waker();
  let stopped = false;
  async function run() {
    for (;;) {
      await wait(waitMs());
      if (stopped) return;
      clear();
      await work().catch((error: unknown) => log.error({ err: error, worker: name }, 'a worker failed'));
    }
  }
  const running = run();
  return {
    wake,
    /** Returns when the current run has ended. */
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
