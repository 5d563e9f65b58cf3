import { setTimeout as sleep } from 'node:timers/promises';

interface Batching {
  /** The minimum time between the starts of two batches, so that more calls join the next one (default 0). */
  readonly everyMs?: number;
  /** Whether an error concerns the whole batch. */
  readonly isShared?: (error: unknown) => boolean;
  /** How long an unfinished batch holds back the next one (default: until it is done). */
  readonly patienceMs?: number;
  /** Whether a call is done alone, and at once. */
  readonly isAlone?: () => boolean;
}

/**
 * Does the work of many calls in batches. The first call is done at once; those that arrive while a batch is in progress form the
 * next one. Each call resolves with its own result when its batch is done. A batch that fails because of one of its items is
 * repeated item by item, so that only the call of that item is rejected.
 */
export function batched<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  { everyMs = 0, isShared = () => false, patienceMs, isAlone = () => false }: Batching = {},
): (item: Item) => Promise<Result> {
  let earliest = 0;
  let waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const early = earliest - performance.now();
      if (early > 0) await sleep(early);
      earliest = performance.now() + everyMs;
      const batch = waiting;
      waiting = [];
      const settled = settle(batch, work, isShared);
      await (patienceMs === undefined ? settled : within(settled, patienceMs));
    }
    isRunning = false;
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const one = { item, resolve, reject };
    if (isAlone()) {
      void settle([one], work, isShared);
      return promise;
    }
    waiting.push(one);
    // Later, so that other calls of this turn join the batch.
    if (!isRunning) queueMicrotask(() => (isRunning ? undefined : run()));
    return promise;
  };
}

async function within(settled: Promise<void>, ms: number): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([settled, late]);
  clearTimeout(timer);
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  isShared: (error: unknown) => boolean,
): Promise<void> {
  try {
    const results = await work(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  } catch (error) {
    if (batch.length > 1 && !isShared(error)) for (const one of batch) await settle([one], work, isShared);
    else for (const { reject } of batch) reject(error);
  }
}
