const running = performance.now.bind(performance);

let holders = 0;
let stoppedAt: number | undefined;
/** Never less than before, so that no time is later than one that was read after it. */
let passedMs = 0;

/**
 * Stops the monotonic clock of this process while something is done, so that nothing grows too old for it, however busy the
 * machine is. Timers go on.
 */
export async function withStoppedClock<Result>(work: () => Promise<Result>): Promise<Result> {
  performance.now = () => (stoppedAt ?? running()) + passedMs;
  stoppedAt ??= running();
  holders += 1;
  try {
    return await work();
  } finally {
    holders -= 1;
    if (holders === 0) stoppedAt = undefined;
  }
}

/** Lets time pass on a clock that is stopped. */
export function letPass(ms: number): void {
  passedMs += ms;
}
