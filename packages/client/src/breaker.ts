import { unavailable } from '@crm/contract';

/** After so many failures in a row it is no chance. */
const maxFailures = 5;
const shortestMs = 500;
const longestMs = 5_000;

/** Whether an attempt has reached the peer; undefined if it says nothing about it. */
export type Outcome = 'reached' | 'failed' | undefined;

export interface Breaker {
  /** Throws Unavailable at once if the peer is not to be called now. Returns how to report the outcome of the call. */
  admit(): (outcome: Outcome) => void;
}

/**
 * Keeps calls from a peer that does not respond, so that they neither wait for it nor burden it while it starts. After
 * five failures in a row all calls are refused for half a second, and then one is let through. If it fails too, they are
 * refused for up to twice as long as before, up to five seconds; if it does not, all are let through. The times are
 * random, so that not all callers try at once.
 */
export function breaker(now: () => number = () => performance.now(), random = Math.random): Breaker {
  let failures = 0;
  let openUntil = 0;
  let isProbing = false;
  const settle = (outcome: Outcome) => {
    if (outcome === 'reached') failures = 0;
    if (outcome !== 'failed') return;
    failures++;
    if (failures < maxFailures) return;
    const most = Math.min(longestMs, shortestMs * 2 ** (failures - maxFailures));
    openUntil = now() + shortestMs + random() * (most - shortestMs);
  };
  return {
    admit() {
      const waitMs = openUntil - now();
      const isOpen = failures >= maxFailures;
      if (isOpen && (waitMs > 0 || isProbing))
        throw unavailable({ retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) });
      isProbing = isOpen;
      return (outcome) => {
        // What was sent before does not lengthen the time.
        if (isOpen) isProbing = false;
        else if (outcome === 'failed' && failures >= maxFailures) return;
        settle(outcome);
      };
    },
  };
}
