/** How long before a slot is free a task may begin: less than a final check is valid. */
const aheadMs = 1_000;

/** Admits tasks, and estimates the throughput of their resource. */
export interface Room {
  enter<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Reports how long a task used the resource. */
  took(ms: number): void;
  /** How many tasks the resource is expected to serve within `ms` milliseconds, and at least `atOnce`. */
  within(ms: number): number;
}

/**
 * Limits how many tasks prepare for a resource with `atOnce` slots: as many as it is expected to serve within a second, and at
 * least `atOnce`. Other tasks wait in their order of arrival.
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
