const running = performance.now.bind(performance);

let holders = 0;
let stoppedAt: number | undefined;
/** Never decreases, so that no time is earlier than one that was read before it. */
let passedMs = 0;

/**
 * Stops the monotonic clock of this process during work, so that nothing expires, however busy the machine is. Timers continue.
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

/** Advances a stopped clock by a little more than this: times are rounded, so that the difference of two may be too small. */
export function letPass(ms: number): void {
  passedMs += ms + 0.001;
}
