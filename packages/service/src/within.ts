import { unavailable } from '@crm/contract';

/**
 * Limits the time of a call to a peer. Throws `Unavailable` after that time, even if the call ignores the signal. The outcome
 * is then unknown, so the call must be safe to repeat.
 */
export async function within<Result>(
  ms: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const waiting = new AbortController();
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    waiting.abort();
    reject(unavailable({ retryAfter: 1 }));
  }, ms);
  try {
    return await Promise.race([call(waiting.signal), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
