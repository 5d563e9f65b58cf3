import { unavailable } from '@crm/contract';

/**
 * Waits so many milliseconds for what is asked of a peer. Throws `Unavailable` when they are over, also where the
 * peer takes no notice of the signal; what it does afterwards nobody hears of, so it must do no harm if repeated.
 */
export async function within<Answer>(
  ms: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const waiting = new AbortController();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    waiting.abort();
    reject(unavailable({ retryAfter: 1 }));
  }, ms);
  try {
    return await Promise.race([ask(waiting.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}
