import { unavailable } from '@crm/contract';

/** This many failures in a row are not a coincidence. */
const maxFailures = 5;
const shortestMs = 500;
const longestMs = 1_000;

/** A peer that has not responded to anybody for this time counts as failing, whoever gave up waiting. */
export const patienceMs = 5_000;

/**
 * Whether an attempt has reached the peer, or the caller gave up waiting for the response; undefined if it says nothing about the
 * peer.
 */
export type Outcome = 'reached' | 'failed' | 'unanswered' | undefined;

export interface Breaker {
  /** Throws Unavailable at once if the peer is not to be called now. Returns how to report the outcome of the call. */
  admit(): (outcome: Outcome) => void;
}

/**
 * Keeps calls from a peer that does not respond, so that they neither wait for it nor burden it while it starts. After five
 * failures in a row all calls are refused for half a second; then one is allowed through. If that one fails too, calls are
 * refused for up to a second; otherwise all are allowed through. The times are random, so that callers do not all try at once. A
 * second is short enough not to delay callers once the process has restarted. A call that got no response is a failure only if
 * nobody else got one for some seconds: what one user has waiting there must not keep others from the peer.
 */
export function breaker(now: () => number = () => performance.now(), random = Math.random): Breaker {
  let failures = 0;
  let openUntil = 0;
  let isProbing = false;
  let reachedAt = Number.NEGATIVE_INFINITY;
  const isSilentSince = (sentAt: number) => now() - Math.max(sentAt, reachedAt) > patienceMs;
  const settle = (outcome: Outcome) => {
    if (outcome === 'reached') {
      failures = 0;
      reachedAt = now();
    }
    if (outcome !== 'failed') return;
    failures++;
    if (failures < maxFailures) return;
    const most = failures === maxFailures ? shortestMs : longestMs;
    openUntil = now() + shortestMs + random() * (most - shortestMs);
  };
  return {
    admit() {
      const waitMs = openUntil - now();
      const isOpen = failures >= maxFailures;
      if (isOpen && (waitMs > 0 || isProbing))
        throw unavailable({ retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)) });
      isProbing = isOpen;
      const sentAt = now();
      return (given) => {
        const outcome = given === 'unanswered' && isSilentSince(sentAt) ? 'failed' : given;
        // What was sent before does not lengthen the time.
        if (isOpen) isProbing = false;
        else if (outcome === 'failed' && failures >= maxFailures) return;
        settle(outcome);
      };
    },
  };
}
