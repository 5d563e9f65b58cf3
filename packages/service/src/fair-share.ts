import { tooManyAtOnce } from '@crm/contract';

interface Share {
  /** How many pieces of work of one user run at once. */
  readonly atOnce: number;
  /** How much more of it may wait. */
  readonly waiting: number;
  /** How many of all users together run at once (default: any number). */
  readonly inAll?: number;
  /**
   * Milliseconds. After work that took longer, a user may run only one task at a time, for a minute or until a task is shorter
   * (default: no limit).
   */
  readonly longMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/** How long it is remembered that the last work of a user took long, even if the user does nothing in the meantime. */
const rememberedMs = 60_000;

/** Runs a piece of work of a user when it is its turn. Throws TooManyRequests if too much work of the same user is waiting. */
export type Turns = <Result>(user: string, work: () => Promise<Result>) => Promise<Result>;

export interface FairShare {
  readonly inTurn: Turns;
  /** How much work of all users is waiting for its turn. */
  waiting(): number;
}

/**
 * Gives each user a share of something that all users need, so that nobody can take all of it. Waiting users get turns in
 * rotation, one piece of work per turn, however much of their work is waiting.
 */
export function fairShare({ atOnce, waiting, inAll = Infinity, ...timing }: Share): FairShare {
  const all = { running: 0, waiting: 0, users: new Map<string, OfUser>() };
  const slow = slowUsers(timing);
  const isFree = (user: string, own: OfUser) =>
    own.running < (slow.has(user) ? 1 : atOnce) && all.running < inAll;
  const passOn = () => {
    // A user who gets a turn moves to the end, and is reached again if more is free.
    for (const [user, own] of all.users) {
      if (all.waiting === 0 || all.running >= inAll) return;
      const next = isFree(user, own) ? own.queue.shift() : undefined;
      if (!next) continue;
      all.waiting--;
      begin(all, user, own);
      next();
    }
  };
  const inTurn: Turns = async (user, work) => {
    const own = all.users.get(user) ?? { running: 0, queue: [] };
    if (isFree(user, own)) begin(all, user, own);
    else if (own.queue.length < waiting) {
      all.users.set(user, own);
      all.waiting++;
      await new Promise<void>((resolve) => own.queue.push(resolve));
    } else throw tooManyAtOnce({ retryAfter: 1 });
    const ended = slow.begin(user);
    try {
      return await work();
    } finally {
      ended();
      end(all, user, own);
      // At once, or a newcomer could take the turn.
      passOn();
    }
  };
  return { inTurn, waiting: () => all.waiting };
}

/**
 * The users whose last work took long. They are forgotten in time, so that this holds no more users than had turns within that
 * time.
 */
function slowUsers({ longMs = Infinity, clock = () => performance.now() }: Pick<Share, 'longMs' | 'clock'>) {
  /** When each is forgotten, the first one first. */
  const until = new Map<string, number>();
  return {
    has: (user: string) => (until.get(user) ?? -Infinity) > clock(),
    /** Returns what to call when the work has ended. */
    begin(user: string) {
      const began = clock();
      return () => {
        const now = clock();
        until.delete(user);
        if (now - began <= longMs) return;
        for (const [first, end] of until) {
          if (end > now) break;
          until.delete(first);
        }
        until.set(user, now + rememberedMs);
      };
    },
  };
}

interface OfUser {
  running: number;
  readonly queue: (() => void)[];
}

interface OfAll {
  running: number;
  waiting: number;
  /** In the order of their next turns. */
  readonly users: Map<string, OfUser>;
}

function begin(all: OfAll, user: string, own: OfUser) {
  all.running++;
  own.running++;
  all.users.delete(user);
  all.users.set(user, own);
}

function end(all: OfAll, user: string, own: OfUser) {
  all.running--;
  if (--own.running === 0 && own.queue.length === 0) all.users.delete(user);
}
