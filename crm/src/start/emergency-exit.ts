import { setTimeout as sleep } from 'node:timers/promises';
import { failureText } from '../failure.ts';

const patienceMs = 3_000;

export interface EmergencyExit {
  /** Adds a cleanup that must run even if this process ends early. */
  add(end: () => unknown): void;
  now(): void;
}

/** Ends the process after a second Ctrl-C or an unhandled error. */
export function emergencyExit(): EmergencyExit {
  const ends: (() => unknown)[] = [];
  const now = () => {
    const ended = Promise.allSettled(ends.map(async (end) => end()));
    void Promise.race([ended, sleep(patienceMs)]).finally(() => process.exit(1));
  };
  const onFault = (error: unknown) => {
    process.stderr.write(failureText(error, false));
    now();
  };
  process.on('uncaughtException', onFault).on('unhandledRejection', onFault);
  return { add: (end) => void ends.push(end), now };
}
