import type { Outcome } from '@crm/delivery';
import { type AlertKind, lostAnswer, type Settlement } from './alert.queries.ts';

/** What decides on another attempt. */
export interface Attempted {
  readonly kind: AlertKind;
  /** So many were made, this one included. */
  readonly attempts: number;
  readonly seconds_late: number;
}

/** How long to wait after the first attempt, the second and so on; the last is for all that follow. */
export const backoffSeconds = [1, 5, 30, 120, 600, 1800] as const;

/** A lead that nobody could be told of for a day is not news any more. */
export const mostSecondsLate = 86_400;

/** What becomes of an alert by what the provider said. */
export function settlementOf(outcome: Outcome, attempted: Attempted, honoursKeys: boolean): Settlement {
  if (outcome.outcome === 'handed over') return { state: 'Done' };
  const { reason } = outcome;
  if (outcome.outcome === 'refused') return { state: 'Failed', reason };
  const mayRepeat = outcome.outcome === 'failed' || attempted.kind === 'Email' || honoursKeys;
  if (!mayRepeat) return { state: 'Failed', reason: `${lostAnswer} ${reason}` };
  return again(attempted, reason);
}

/** Another attempt later, for what did not leave. */
export function again({ attempts, seconds_late }: Attempted, reason: string): Settlement {
  if (seconds_late > mostSecondsLate) return { state: 'Failed', reason: `Given up after a day. ${reason}` };
  const place = Math.min(attempts, backoffSeconds.length) - 1;
  return { state: 'Waiting', reason, seconds: backoffSeconds[place] ?? backoffSeconds[0] };
}
