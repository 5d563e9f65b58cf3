/** How long before its turn work may begin: less than the time for which a final check counts. */
const aheadMs = 1_000;

/** Lets so much work in, and notes how long a part of it took. */
export interface Room {
  enter<Result>(work: () => Promise<Result>): Promise<Result>;
  took(ms: number): void;
  /** How many do their part within so many milliseconds, as far as is known, and no fewer than can do it at once. */
  within(ms: number): number;
}

/**
 * Work of which so many can do a part at once, but that may begin a moment before its turn: as many are let in as have done that
 * part within this time, and no fewer than can do it at once. Those who come later wait, in the order in which they came.
 */
export function roomFor(atOnce: number): Room {
  const waiting: (() => void)[] = [];
  let inside = 0;
  let averageMs = aheadMs;
  const within = (ms: number) => atOnce * Math.max(1, Math.floor(ms / averageMs));
  const letIn = () => {
    while (waiting.length > 0 && inside < within(aheadMs)) {
      inside += 1;
      waiting.shift()?.();
    }
  };

  return {
    async enter(work) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      letIn();
      await promise;
      try {
        return await work();
      } finally {
        inside -= 1;
        letIn();
      }
    },
    took(ms) {
      averageMs += (ms - averageMs) / 16;
    },
    within,
  };
}
