export interface Waker {
  wake(): void;
  clear(): void;
  /** Returns once woken since the last `clear`, or after the given time. */
  wait(ms: number): Promise<void>;
}

/**
 * A flag that can be waited for. Clear it before looking for work: a call in the meantime then ends the next wait at
 * once, while clearing afterwards would lose it.
 */
export function waker(): Waker {
  let woken = false;
  let release: (() => void) | undefined;

  return {
    wake() {
      woken = true;
      release?.();
    },
    clear() {
      woken = false;
    },
    async wait(ms) {
      if (woken) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      release = resolve;
      const timer = setTimeout(resolve, ms);
      await promise;
      clearTimeout(timer);
      release = undefined;
    },
  };
}
