import { waker } from '@crm/messaging';
import { atMostEvery } from './at-most-every.ts';
import type { WorkerContext } from './definition.ts';
import type { Logger } from './log.ts';

/** Repeats work, `everyMs` after it last ended. A failure is logged, and the work is tried again. */
export function repeat(name: string, everyMs: number, work: () => Promise<void>, log: Logger) {
  return untilStopped(name, () => everyMs, work, log);
}

/** Repeats work like `repeat`, for the first time at once. */
export function repeatAtOnce(name: string, everyMs: number, work: () => Promise<void>, log: Logger) {
  const repeated = repeat(name, everyMs, work, log);
  repeated.wake();
  return repeated;
}

/** Nothing waits for so long: this is for notifications that were lost with a connection, and for rows changed by hand. */
const longestMs = 30_000;
const failedMs = 5_000;

/**
 * Repeats work at the start, after commits, and when the next row is due, in as many milliseconds as the work returns: at most
 * every `everyMs`, and every half minute in any case. A failure is logged, and the work is tried again.
 */
export function repeatAfterCommits(
  name: string,
  everyMs: number,
  work: () => Promise<number | undefined>,
  { commits, log }: Pick<WorkerContext, 'commits' | 'log'>,
) {
  // What is due already when it begins.
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
