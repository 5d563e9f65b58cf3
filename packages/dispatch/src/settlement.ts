import type { Outcome } from '@crm/delivery';

/** What decides on another attempt. */
export interface Attempted {
  /** So many were made, this one included. */
  readonly attempts: number;
  readonly seconds_late: number;
}

/** What becomes of a row after an attempt. */
export type Settlement =
  | { readonly state: 'Done' }
  | { readonly state: 'Failed'; readonly reason: string }
  | { readonly state: 'Waiting'; readonly reason: string; readonly seconds: number };

/** How long to wait after the first attempt, the second and so on; the last is for all that follow. */
export const backoffSeconds = [1, 5, 30, 120, 600, 1800] as const;

/** What nobody could be told of for a day is not news any more. */
export const mostSecondsLate = 86_400;

export const lostAnswer =
  'Nobody knows whether the provider took it, because its answer was lost. It is not sent again.';

/**
 * What becomes of a row by what the provider said. `mayRepeat` says whether it may be handed over again though it may
 * have been taken: its reader, or its provider, knows its key again.
 */
export function settlementOf(outcome: Outcome, attempted: Attempted, mayRepeat: boolean): Settlement {
  if (outcome.outcome === 'sent') return { state: 'Done' };
  const { reason } = outcome;
  if (outcome.outcome === 'refused') return { state: 'Failed', reason };
  if (outcome.outcome === 'unknown' && !mayRepeat)
    return { state: 'Failed', reason: `${lostAnswer} ${reason}` };
  return again(attempted, reason);
}

/** Another attempt later, for what did not leave. */
export function again({ attempts, seconds_late }: Attempted, reason: string): Settlement {
  if (seconds_late > mostSecondsLate) return { state: 'Failed', reason: `Given up after a day. ${reason}` };
  const place = Math.min(attempts, backoffSeconds.length) - 1;
  return { state: 'Waiting', reason, seconds: backoffSeconds[place] ?? backoffSeconds[0] };
}
