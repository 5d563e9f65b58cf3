/** A message that no provider begins to receive within this time is not sent, or an e-mail not without being checked again. */
export const startMs = 3_000;

/** An attempt that may take so long. */
export interface Limited {
  readonly signal: AbortSignal;
  /** Gives it the whole time again. */
  restart(): void;
  /** Lets go of the timer, which with `AbortSignal.timeout` would stay for the whole time, with all that it refers to. */
  end(): void;
}

export function limited(ms: number): Limited {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(timedOut()), ms);
  return {
    signal: controller.signal,
    restart: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}

/** Like the error of `AbortSignal.timeout`. */
const timedOut = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError');
