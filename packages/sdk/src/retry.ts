import { CrmError, UnreachableError } from './crm-error.ts';

/** A conflict is repeated only if the API says when: the first request with the same key is still running. */
const temporary = new Set([429, 502, 503, 504]);
const longestWaitSeconds = 60;

/**
 * How many milliseconds to wait before repeating a request that has failed this often; undefined if it should not be repeated.
 * Delays increase, and are random so that not all clients return at once, but are never shorter than the API requested.
 */
export function waitBeforeRepeat(
  error: unknown,
  failures: number,
  { maxRetries, random }: { readonly maxRetries: number; readonly random: () => number },
): number | undefined {
  if (failures > maxRetries) return undefined;
  const ownMs = Math.min(250 * 2 ** failures, 8_000) * (0.5 + random() / 2);
  if (error instanceof UnreachableError) return ownMs;
  if (!(error instanceof CrmError)) return undefined;
  const { status, retryAfter } = error;
  const isTemporary = temporary.has(status) || (status === 409 && retryAfter !== undefined);
  if (!isTemporary || (retryAfter ?? 0) > longestWaitSeconds) return undefined;
  return Math.max(ownMs, (retryAfter ?? 0) * 1_000);
}

/** Waits, unless the signal is aborted. */
export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
