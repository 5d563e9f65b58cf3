/** If no provider starts to receive a message within this time, it is not sent; an e-mail is sent only after another check. */
export const startMs = 3_000;

/** A time limit for an attempt. */
export function limited(ms: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timedOut()), ms);
  return {
    signal: controller.signal,
    /** Starts the time limit again. */
    restart: () => void timer.refresh(),
    /** Releases the timer. With `AbortSignal.timeout`, it and all that it references would stay in memory for the whole time. */
    end: () => clearTimeout(timer),
  };
}

/** Like the error of `AbortSignal.timeout`. */
const timedOut = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
