import type { Refused } from '@crm/contract';

export interface Limits {
  /** How many pieces of work of one user run at once. */
  readonly atOnce: number;
  readonly reads: LimitsOfReads;
}

/** The part of it that reads may take. */
interface LimitsOfReads {
  /** How many reads of one user run at once. */
  readonly atOnce: number;
  /** How many of all users together run at once. */
  readonly inAll: number;
  /**
   * Milliseconds. After a read that took longer, a user may run only one at a time, for a minute or until a read is done in less
   * (default: no limit).
   */
  readonly longMs?: number;
}

export interface OfUser {
  running: number;
  /** How much of what runs are reads. */
  reading: number;
  queue: Waiting[];
}

export interface Waiting {
  readonly isRead: boolean;
  readonly until: number;
  readonly begin: (end: End) => void;
  readonly refuse: (reason: Refused) => void;
}

/** Ends a turn; the work may have failed or not have begun. */
export type End = (isDone: boolean) => void;

/** Counts what runs of each user, and how much more may. */
export function countTurns({ atOnce, reads }: Limits, clock: () => number) {
  let reading = 0;
  const slow = slowUsers(reads.longMs ?? Infinity, clock);
  /** How many turns the user has left, whatever others have. */
  const left = (user: string, own: OfUser, isRead: boolean) =>
    isRead
      ? Math.min(atOnce - own.running, (slow.has(user) ? 1 : reads.atOnce) - own.reading)
      : atOnce - own.running;
  const beginRead = (user: string, own: OfUser): End => {
    own.reading++;
    reading++;
    const ended = slow.begin(user);
    return (isDone) => {
      ended(isDone);
      own.reading--;
      reading--;
      own.running--;
    };
  };
  return {
    left,
    isFree: (user: string, own: OfUser, isRead: boolean) =>
      left(user, own, isRead) > 0 && (!isRead || reading < reads.inAll),
    /** How many waiting reads of the user would run if others did not have so many turns. */
    heldUp: (user: string, own: OfUser) =>
      Math.min(own.queue.filter(({ isRead }) => isRead).length, Math.max(0, left(user, own, true))),
    begin(user: string, own: OfUser, isRead: boolean): End {
      own.running++;
      return isRead ? beginRead(user, own) : () => void own.running--;
    },
  };
}

/** How long it is remembered that the last read of a user took long, even if the user does nothing in the meantime. */
const rememberedMs = 60_000;

/**
 * The users whose last read took long. They are forgotten in time, so that this holds no more users than had turns within that
 * time.
 */
function slowUsers(longMs: number, clock: () => number) {
  /** When each is forgotten, the first one first. */
  const until = new Map<string, number>();
  return {
    has: (user: string) => (until.get(user) ?? -Infinity) > clock(),
    /** Returns what to call when the read has ended. */
    begin(user: string) {
      const began = clock();
      return (isDone: boolean) => {
        const now = clock();
        const isLong = now - began > longMs;
        if (isLong || isDone) until.delete(user);
        if (!isLong) return;
        for (const [first, end] of until) {
          if (end > now) break;
          until.delete(first);
        }
        until.set(user, now + rememberedMs);
      };
    },
  };
}
