/**
 * Does one piece of work for many at once, without holding anybody up: what comes while the work is being done is
 * gathered for the next time. Each is answered when its own share is done, or refused with what failed then.
 */
export function gathering<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isAtWork = false;

  async function run(): Promise<void> {
    isAtWork = true;
    while (waiting.length > 0) {
      const share = waiting;
      waiting = [];
      await settle(share, work);
    }
    isAtWork = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    waiting.push({ item, resolve, reject });
    // After what else comes in this turn.
    if (!isAtWork) queueMicrotask(() => (isAtWork ? undefined : run()));
    return promise;
  };
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

async function settle<Item, Result>(
  share: readonly Waiting<Item, Result>[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await work(share.map(({ item }) => item));
    for (const [place, { resolve }] of share.entries()) resolve(results[place] as Result);
  } catch (error) {
    for (const { reject } of share) reject(error);
  }
}
