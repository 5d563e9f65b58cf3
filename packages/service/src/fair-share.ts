import { tooManyAtOnce } from '@crm/contract';

interface Share {
  /** How much work of one user runs at once. */
  readonly atOnce: number;
  /** How much more of it may wait. */
  readonly waiting: number;
}

/** Runs a piece of work of a user when it is its turn. Throws TooManyRequests if too much of the same user waits. */
export type Turns = <Result>(user: string, work: () => Promise<Result>) => Promise<Result>;

/** Lets each user have a share of something that all users need, so that nobody can take all of it. */
export function fairShare({ atOnce, waiting }: Share): Turns {
  const users = new Map<string, { running: number; readonly queue: (() => void)[] }>();
  return async (user, work) => {
    const own = users.get(user) ?? { running: 0, queue: [] };
    users.set(user, own);
    if (own.running < atOnce) own.running++;
    else if (own.queue.length < waiting) await new Promise<void>((resolve) => own.queue.push(resolve));
    else throw tooManyAtOnce({ retryAfter: 1 });
    try {
      return await work();
    } finally {
      const next = own.queue.shift();
      // A turn is passed on without becoming free, or a newcomer could take it.
      if (next) next();
      else if (--own.running === 0) users.delete(user);
    }
  };
}
