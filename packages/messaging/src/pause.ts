import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the time is over or the signal is aborted. Never throws. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined);
