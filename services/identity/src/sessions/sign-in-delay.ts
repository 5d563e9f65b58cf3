/** How failures to sign in add up for an account or an address. */
export interface Patience {
  /** As many failures cost nothing: people mistype. */
  readonly free: number;
  /** After as many seconds one failure is forgiven. */
  readonly forgiveSeconds: number;
}

/** About a hundred guesses a day at one account, however many machines guess. */
export const patienceWithAccount: Patience = { free: 5, forgiveSeconds: 1800 };
/** More, because a whole office may share an address. */
export const patienceWithAddress: Patience = { free: 30, forgiveSeconds: 60 };

/** Noticed by a program that guesses, and hardly by a person. */
const firstDelaySeconds = 4;
/** Twice as long would keep the account's owner out while somebody else guesses. */
const longestDelaySeconds = 900;

/** The failures that count, in parts where some were half forgiven, and the seconds since the last of them. */
export interface Failures {
  readonly level: number;
  readonly quietSeconds: number;
}

/** How many seconds must pass before the next attempt; they double with each failure that is not free. */
export function secondsToWait({ level, quietSeconds }: Failures, { free }: Patience): number {
  const costly = Math.round(level) - free;
  const delay = costly < 0 ? 0 : Math.min(firstDelaySeconds * 2 ** costly, longestDelaySeconds);
  return Math.max(0, delay - quietSeconds);
}

/** The level after one more failure. */
export function levelAfterFailure({ level, quietSeconds }: Failures, { forgiveSeconds }: Patience): number {
  return Math.max(0, level - quietSeconds / forgiveSeconds) + 1;
}
