import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnedProcess } from './owned-process.ts';

const firstPauseMs = 50;
const longestPauseMs = 1_000;

interface Restarts {
  /** Starts the process again. */
  readonly launch: () => Promise<OwnedProcess>;
  /** Resolves when it serves; throws if it does not, or has exited. */
  readonly serving: (started: OwnedProcess) => Promise<void>;
  /** Called when the process has exited by itself, and when it serves again. */
  readonly onEnd: () => void;
  readonly onReturn: () => void;
}

/** Restarts a process whenever it exits by itself, any number of times, until it is stopped. */
export function keepRunning(first: OwnedProcess, { launch, serving, onEnd, onReturn }: Restarts) {
  let current = first;
  let isStopping = false;

  async function startAgain(): Promise<void> {
    for (let pause = firstPauseMs; !isStopping; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        current = await launch();
        // It was stopped while it was being launched.
        if (isStopping) return await current.stop();
        await serving(current);
        return onReturn();
      } catch {
        // After a crash, parts of the old process may still be in the way for a moment.
        await current.stop();
        await sleep(pause, undefined, { ref: false });
      }
    }
  }

  async function watch(): Promise<void> {
    while (!isStopping) {
      await current.ended;
      if (isStopping) return;
      onEnd();
      await startAgain();
    }
  }

  const watching = watch();
  return {
    pid: () => current.pid,
    hasEnded: () => current.hasEnded(),
    async stop() {
      isStopping = true;
      await current.stop();
      await watching;
    },
  };
}
