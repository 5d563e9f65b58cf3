import { unavailable } from '@crm/contract';
import type { Call } from './call.ts';

/** A deadline in `ms` milliseconds. */
export const deadlineIn = (ms: number): number => performance.now() + ms;

/** The earlier of a deadline, if there is one, and one in `ms` milliseconds. */
export const deadlineWithin = (ms: number, deadline = Number.POSITIVE_INFINITY): number =>
  Math.min(deadlineIn(ms), deadline);

/** How many milliseconds are left. Throws Unavailable if nobody is waiting for the response any longer. */
export function demandTimeLeft({ deadline, signal }: Pick<Call, 'deadline' | 'signal'>): number | undefined {
  if (signal?.aborted)
    throw unavailable({ message: 'The caller did not wait for the response.', retryAfter: 1 });
  if (deadline === undefined) return undefined;
  const leftMs = Math.floor(deadline - performance.now());
  if (leftMs > 0) return leftMs;
  throw unavailable({ message: 'The request took too long.', retryAfter: 1 });
}

/** The deadline of a call from another process, by the milliseconds that were left; none for anything else. */
export function deadlineOf(timeLeft: string | string[] | undefined): number | undefined {
  return typeof timeLeft === 'string' && /^\d{1,6}$/.test(timeLeft)
    ? deadlineIn(Number(timeLeft))
    : undefined;
}
