import { type Refused, tooManyAtOnce, unavailable } from '@crm/contract';

interface Share {
  /** How many pieces of work of one user run at once. */
  readonly atOnce: number;
  /** How much more of it may wait. */
  readonly waiting: number;
  readonly reads: ShareOfReads;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/** The part of a share that reads may take. */
interface ShareOfReads {
  /** How many reads of one user run at once. */
  readonly atOnce: number;
  /** How many of all users together run at once. */
  readonly inAll: number;
  /**
   * Milliseconds. After a read that took longer, a user may run only one at a time, for a minute or until a read is shorter
   * (default: no limit).
   */
  readonly longMs?: number;
}

/** How long it is remembered that the last read of a user took long, even if the user does nothing in the meantime. */
const rememberedMs = 60_000;

/**
 * Runs a piece of work of a user when it is its turn. Throws TooManyRequests if too much work of the same user is waiting, or if
 * its turn has not come until a time of the clock; Unavailable if others have the turns at that time.
 */
export type Turns = <Result>(user: string, work: () => Promise<Result>, until?: number) => Promise<Result>;

export interface FairShare {
  /** For what only reads. */
  readonly reads: Turns;
  /** For everything else. */
  readonly changes: Turns;
  /** How much work waits although its user has turns left, because others have so many. */
  waiting(): number;
}

/**
 * Gives each user a share of something that all users need, so that nobody can take all of it. Waiting users get turns in
 * rotation, one piece of work per turn, however much of their work is waiting. Work of one user begins in its order, but reads
 * that have no turn do not hold up changes: what waits takes no turn of anything.
 */
export function fairShare({ atOnce, waiting, reads, clock = () => performance.now() }: Share): FairShare {
  const all = { reading: 0, waiting: 0, users: new Map<string, OfUser>() };
  const slow = slowUsers(reads.longMs ?? Infinity, clock);
  const mayChange = (own: OfUser) => own.running < atOnce;
  const readsLeft = (user: string, own: OfUser) =>
    Math.min(atOnce - own.running, (slow.has(user) ? 1 : reads.atOnce) - own.reading);
  const mayRead = (user: string, own: OfUser) => all.reading < reads.inAll && readsLeft(user, own) > 0;
  const heldUp = (user: string, own: OfUser) =>
    Math.min(own.queue.filter(({ isRead }) => isRead).length, Math.max(0, readsLeft(user, own)));
  const begin = (user: string, own: OfUser, isRead: boolean) => {
    own.running++;
    if (isRead) {
      own.reading++;
      all.reading++;
    }
    // To the end of those who get turns.
    all.users.delete(user);
    all.users.set(user, own);
  };
  const end = (user: string, own: OfUser, isRead: boolean) => {
    own.running--;
    if (isRead) {
      own.reading--;
      all.reading--;
    }
    if (own.running === 0 && own.queue.length === 0) all.users.delete(user);
  };
  const passOn = () => {
    // A user who gets a turn moves to the end, and is reached again if more is free.
    for (const [user, own] of all.users) {
      if (all.waiting === 0) return;
      if (own.queue.length === 0 || !mayChange(own)) continue;
      const isAllowed = mayRead(user, own) ? () => true : ({ isRead }: Waiting) => !isRead;
      const next = own.queue.findIndex(isAllowed);
      const [one] = next < 0 ? [] : own.queue.splice(next, 1);
      if (!one) continue;
      all.waiting--;
      begin(user, own, one.isRead);
      one.begin();
    }
  };
  const refuseLate = () => {
    const now = clock();
    for (const [user, own] of all.users) {
      const late = own.queue.filter(({ until }) => until <= now);
      if (late.length === 0) continue;
      own.queue = own.queue.filter(({ until }) => until > now);
      all.waiting -= late.length;
      for (const { isRead, refuse } of late) {
        const hasTurn = isRead ? readsLeft(user, own) > 0 : mayChange(own);
        refuse(hasTurn ? unavailable({ retryAfter: 1 }) : tooManyAtOnce({ retryAfter: 1 }));
      }
      if (own.running === 0 && own.queue.length === 0) all.users.delete(user);
    }
    const queues = [...all.users.values()].map(({ queue }) => queue);
    return Math.min(...queues.flat().map(({ until }) => until));
  };
  const lookAt = alarm(refuseLate, clock);
  const turnsFor =
    (isRead: boolean): Turns =>
    async (user, work, until = Infinity) => {
      const own = all.users.get(user) ?? { running: 0, reading: 0, queue: [] };
      if (isRead ? mayRead(user, own) : mayChange(own)) begin(user, own, isRead);
      else if (own.queue.length < waiting) {
        all.users.set(user, own);
        all.waiting++;
        lookAt(until);
        await new Promise<void>((begin, refuse) => own.queue.push({ isRead, until, begin, refuse }));
      } else throw tooManyAtOnce({ retryAfter: 1 });
      const ended = isRead ? slow.begin(user) : undefined;
      try {
        return await work();
      } finally {
        ended?.();
        end(user, own, isRead);
        // At once, or a newcomer could take the turn.
        passOn();
      }
    };
  return {
    reads: turnsFor(true),
    changes: turnsFor(false),
    waiting: () => [...all.users].reduce((sum, [user, own]) => sum + heldUp(user, own), 0),
  };
}

/**
 * Returns a function that has something done at a time, which returns when to do it again. There is one timer for all times, because
 * most of what waits does not wait until its end.
 */
function alarm(ring: () => number, clock: () => number) {
  let earliest = Infinity;
  let timer: NodeJS.Timeout | undefined;
  const setFor = (time: number) => {
    if (time >= earliest) return;
    clearTimeout(timer);
    earliest = time;
    timer = setTimeout(
      () => {
        earliest = Infinity;
        setFor(ring());
      },
      Math.max(0, Math.ceil(time - clock())),
    ).unref();
  };
  return setFor;
}

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
  /** How much of what runs are reads. */
  reading: number;
  queue: Waiting[];
}

interface Waiting {
  readonly isRead: boolean;
  readonly until: number;
  readonly begin: () => void;
  readonly refuse: (reason: Refused) => void;
}
