/** A message that no provider begins to receive within this time is not sent, or an e-mail not without being checked again. */
export const startMs = 3_000;

/** An attempt that may take so long. */
export function limited(ms: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timedOut()), ms);
  return {
    signal: controller.signal,
    /** Gives it the whole time again. */
    restart: () => void timer.refresh(),
    /** Lets go of the timer, which with `AbortSignal.timeout` would stay for the whole time, with all that it refers to. */
    end: () => clearTimeout(timer),
  };
}

/** Like the error of `AbortSignal.timeout`. */
const timedOut = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
