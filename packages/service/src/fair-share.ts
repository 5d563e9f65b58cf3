import { tooManyAtOnce, unavailable } from '@crm/contract';
import { alarm } from './alarm.ts';
import { countTurns, type End, type Limits, type OfUser, type Waiting } from './count-turns.ts';

interface Share extends Limits {
  /** How much more work of one user may wait. */
  readonly waiting: number;
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number;
}

/** How long work waits for its turn. */
interface Patience {
  /** A time of the clock. Work without one waits however much of its user waits already. */
  readonly until?: number;
  /** Is aborted when nobody wants the result any longer. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs a piece of work of a user when it is its turn. Throws TooManyRequests if too much work of the same user is waiting, or if
 * its turn has not come in time; Unavailable if others have the turns then, or if nobody wants the result any longer.
 */
export type Turns = <Result>(
  user: string,
  work: () => Promise<Result>,
  patience?: Patience,
) => Promise<Result>;

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
export function fairShare({ waiting, clock = () => performance.now(), ...limits }: Share): FairShare {
  const all: OfAll = { waiting: 0, users: new Map(), turns: countTurns(limits, clock) };
  const lookAt = alarm(() => refuseLate(all, clock()), clock);
  const wait = (user: string, own: OfUser, isRead: boolean, { until = Infinity, signal }: Patience) => {
    if (own.queue.length >= waiting && until < Infinity) throw tooManyAtOnce({ retryAfter: 1 });
    all.users.set(user, own);
    all.waiting++;
    lookAt(until);
    return turnOf(all, user, own, { isRead, until }, signal);
  };
  const turnsFor =
    (isRead: boolean): Turns =>
    async (user, work, patience = {}) => {
      const own = all.users.get(user) ?? { running: 0, reading: 0, queue: [] };
      const isFree = all.turns.isFree(user, own, isRead);
      const end = isFree ? begin(all, user, own, isRead) : await wait(user, own, isRead, patience);
      let isDone = false;
      try {
        const result = await work();
        isDone = true;
        return result;
      } finally {
        end(isDone);
        forgetIdle(all, user, own);
        // At once, or a newcomer could take the turn.
        passOn(all);
      }
    };
  const heldUp = () => [...all.users].map(([user, own]) => all.turns.heldUp(user, own));
  return {
    reads: turnsFor(true),
    changes: turnsFor(false),
    waiting: () => heldUp().reduce((sum, count) => sum + count, 0),
  };
}

interface OfAll {
  waiting: number;
  /** In the order of their next turns. */
  readonly users: Map<string, OfUser>;
  readonly turns: ReturnType<typeof countTurns>;
}

/** Waits until it is the turn of some work, it is refused, or nobody wants it any longer. */
function turnOf(
  all: OfAll,
  user: string,
  own: OfUser,
  wanted: Pick<Waiting, 'isRead' | 'until'>,
  signal: AbortSignal | undefined,
): Promise<End> {
  const { promise, resolve: begin, reject: refuse } = Promise.withResolvers<End>();
  const one = { ...wanted, begin, refuse };
  own.queue.push(one);
  const leave = () => {
    if (!own.queue.includes(one)) return;
    own.queue = own.queue.filter((other) => other !== one);
    all.waiting--;
    forgetIdle(all, user, own);
    refuse(unavailable({ retryAfter: 1 }));
  };
  signal?.addEventListener('abort', leave);
  return promise.finally(() => signal?.removeEventListener('abort', leave));
}

function begin({ users, turns }: OfAll, user: string, own: OfUser, isRead: boolean): End {
  users.delete(user);
  users.set(user, own);
  return turns.begin(user, own, isRead);
}

function forgetIdle({ users }: OfAll, user: string, own: OfUser) {
  if (own.running === 0 && own.queue.length === 0) users.delete(user);
}

function passOn(all: OfAll) {
  const { users, turns } = all;
  // A user who gets a turn moves to the end, and is reached again if more is free.
  for (const [user, own] of users) {
    if (all.waiting === 0) return;
    if (own.queue.length === 0 || !turns.isFree(user, own, false)) continue;
    const mayRead = turns.isFree(user, own, true);
    const next = own.queue.findIndex(({ isRead }) => mayRead || !isRead);
    const [one] = next < 0 ? [] : own.queue.splice(next, 1);
    if (!one) continue;
    all.waiting--;
    one.begin(begin(all, user, own, one.isRead));
  }
}

/** Refuses what has waited too long. Returns when to do so again. */
function refuseLate(all: OfAll, now: number): number {
  for (const [user, own] of all.users) {
    const late = own.queue.filter(({ until }) => until <= now);
    own.queue = own.queue.filter(({ until }) => until > now);
    all.waiting -= late.length;
    for (const { isRead, refuse } of late) {
      const hasTurn = all.turns.left(user, own, isRead) > 0;
      refuse(hasTurn ? unavailable({ retryAfter: 1 }) : tooManyAtOnce({ retryAfter: 1 }));
    }
    forgetIdle(all, user, own);
  }
  const queues = [...all.users.values()].map(({ queue }) => queue);
  return Math.min(...queues.flat().map(({ until }) => until));
}
