import type { Failures } from './sign-in-failure.queries.ts';

/** How failed sign-ins add up for an account or an address. */
export interface Patience {
  /** Number of failures without a delay: people mistype. */
  readonly free: number;
  /** Seconds after which one failure is forgiven. */
  readonly forgiveSeconds: number;
}

/** About a hundred guesses a day at one account, however many machines guess. */
export const patienceWithAccount: Patience = { free: 5, forgiveSeconds: 1800 };
/** More, because a whole office may share an address. */
export const patienceWithAddress: Patience = { free: 30, forgiveSeconds: 60 };

/** Slows down a program that guesses, but hardly a person. */
const firstDelaySeconds = 4;
/** A longer delay would lock out the owner of the account while somebody else guesses. */
const maxDelaySeconds = 900;

/** Seconds until the next attempt is allowed; they double with each failure that is not free. */
export function secondsToWait({ level, quietSeconds }: Failures, { free }: Patience): number {
  const counted = Math.round(level) - free;
  const delay = counted < 0 ? 0 : Math.min(firstDelaySeconds * 2 ** counted, maxDelaySeconds);
  return Math.max(0, delay - quietSeconds);
}

/** The level after one more failure. */
export function levelAfterFailure({ level, quietSeconds }: Failures, { forgiveSeconds }: Patience): number {
  return Math.max(0, level - quietSeconds / forgiveSeconds) + 1;
}
