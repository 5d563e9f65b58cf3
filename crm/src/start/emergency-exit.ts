import { setTimeout as sleep } from 'node:timers/promises';
import { reportFailure } from '../failure.ts';

const patienceMs = 3_000;

export interface EmergencyExit {
  /** Adds what must not outlive this process even when it ends in a hurry. */
  add(end: () => unknown): void;
  now(): void;
}

/** The way out for a person who does not want to wait, and for a fault that nobody handled. */
export function emergencyExit(): EmergencyExit {
  const ends: (() => unknown)[] = [];
  const now = () => {
    const ended = Promise.allSettled(ends.map(async (end) => end()));
    void Promise.race([ended, sleep(patienceMs)]).finally(() => process.exit(1));
  };
  const onFault = (error: unknown) => {
    reportFailure(error, false);
    now();
  };
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault);
  return { add: (end) => void ends.push(end), now };
}
