import type { Logger } from './log.ts';

/** Repeats work, `everyMs` after it last ended. A failure is logged, and the work is tried again. */
export function repeat(name: string, everyMs: number, work: () => Promise<void>, log: Logger) {
  let timer: NodeJS.Timeout;
  let current = Promise.resolve();
  let stopped = false;
  const schedule = () => {
    timer = setTimeout(() => {
      current = work()
        .catch((error: unknown) => log.error({ err: error, worker: name }, 'a worker failed'))
        .then(() => (stopped ? undefined : schedule()));
    }, everyMs).unref();
  };
  schedule();
  return {
    /** Returns when the current run has ended. */
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
