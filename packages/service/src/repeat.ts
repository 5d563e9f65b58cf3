import type { Logger } from './log.ts';

/** Does something again and again, `everyMs` after it was last done; a failure is logged and the next turn tries again. */
export function repeat(what: string, everyMs: number, work: () => Promise<void>, log: Logger) {
  let timer: NodeJS.Timeout;
  let turn = Promise.resolve();
  let stopped = false;
  const schedule = () => {
    timer = setTimeout(() => {
      turn = work()
        .catch((error: unknown) => log.error({ err: error, what }, 'a worker failed'))
        .then(() => (stopped ? undefined : schedule()));
    }, everyMs).unref();
  };
  schedule();
  return {
    /** Returns when the turn under way has ended. */
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}
