import type { Outcome } from '@crm/delivery';
import { traceparent } from '@crm/telemetry';
import type { Leased } from './due-row.ts';
import type { DispatchTable, Obstacle } from './queue.ts';

/** The input of the decision about another attempt. */
interface Attempted {
  /** The number of attempts, including this one. */
  readonly attempts: number;
  readonly seconds_late: number;
}

/** The state of a row after an attempt. */
export type Settlement =
  | { readonly state: 'Sent'; readonly reason: string | null; readonly reference?: string }
  /** `isReported`: the provider says so, which applies to all attempts. */
  | { readonly state: 'Failed' | 'Dropped'; readonly reason: string; readonly isReported?: boolean }
  /** It waits until a moment, for a reason that is not a failure. */
  | { readonly state: 'Moved'; readonly reason: string; readonly until: string }
  | { readonly state: 'Unknown'; readonly reason: string; readonly seconds: number }
  /** `isDoubtful`: this attempt may have sent it. */
  | {
      readonly state: 'Waiting';
      readonly reason: string | null;
      readonly seconds: number;
      readonly isDoubtful?: boolean;
    };

/** The outcome of an attempt, with the state as the table names it. */
export interface StoredOutcome extends Leased {
  readonly state: string;
  readonly reason: string | null;
  /** Seconds until the next attempt, or until the provider is asked. */
  readonly seconds: number;
  /** The time of the next attempt instead, in ISO 8601. */
  readonly until?: string;
  /** The provider's id of what was sent. */
  readonly reference?: string;
  /** Whether a row that waits again may have been sent by this attempt. */
  readonly is_doubtful?: boolean;
  /** Whether the provider's report applies to all attempts. */
  readonly is_reported?: boolean;
  /** The span that led to it. */
  readonly traceparent?: string | undefined;
}

/** The delays after the first attempt, the second and so on; the last one applies to all further attempts. */
const backoffSeconds = [1, 5, 30, 120, 600, 1800] as const;

/** A message that could not be sent for a day is no longer worth sending. */
const maxSecondsLate = 86_400;

export const lostAnswer =
  'It is not known yet whether the provider accepted it, because its response was lost. It will not be sent again.';

/** Prefix of the reason of a row that an earlier attempt may have sent, and that is not sent again. */
export const earlierAttempt = 'It is not known yet whether an earlier attempt has sent it.';

/** How often an e-mail that may have been sent is repeated: its recipient may see all copies. */
export const maxDoubtfulRepeats = 2;

/** Prefix of the reason of an e-mail that was repeated that often. */
export const lostAnswers =
  'It is not known whether the mail server accepted it, because its responses were lost. It will not be sent again.';

/** A provider lists an accepted message only after a moment. */
export const askAfterSeconds = 5;

/**
 * The state of a row after an attempt with an outcome. `mayRepeat`: whether it may be sent again even though it may have been
 * accepted, because its provider, or its recipient's mail program, recognizes the key.
 */
export function settlementOf(outcome: Outcome, attempted: Attempted, mayRepeat: boolean): Settlement {
  if (outcome.outcome === 'sent') return { state: 'Sent', reason: null, reference: outcome.reference };
  const { reason } = outcome;
  if (outcome.outcome === 'refused') return { state: 'Failed', reason };
  if (outcome.outcome === 'unknown' && !mayRepeat)
    return { state: 'Unknown', reason: `${lostAnswer} ${reason}`, seconds: askAfterSeconds };
  const settlement = again(attempted, reason);
  return settlement.state === 'Waiting' && outcome.outcome === 'unknown'
    ? { ...settlement, isDoubtful: true }
    : settlement;
}

/** How long a message waits at most for another service, which recovers sooner than a provider accepts what it refused. */
export const peerSeconds = 30;

/** Another attempt later, for a message that was not sent. */
export function again(
  { attempts, seconds_late }: Attempted,
  reason: string,
  maxSeconds: number = backoffSeconds[5],
): Settlement {
  if (seconds_late > maxSecondsLate) return { state: 'Failed', reason: `Given up after a day. ${reason}` };
  const index = Math.min(attempts, backoffSeconds.length) - 1;
  const seconds = backoffSeconds[index] ?? backoffSeconds[0];
  return { state: 'Waiting', reason, seconds: Math.min(seconds, maxSeconds) };
}

/** The state of a row that its final check stopped; the obstacle lasts until a moment, if that is known. */
export function stoppedBy({
  state,
  reason,
  seconds = 1,
  movedBecause,
  until,
}: Obstacle & { readonly until: Date | undefined }): Settlement {
  if (state !== 'Waiting') return { state, reason };
  if (!movedBecause || !until) return { state, reason, seconds };
  const moment = until.toISOString();
  return { state: 'Moved', reason: movedBecause(moment), until: moment };
}

/** A settlement with the names that a table uses. */
export function storedOutcome(
  { waiting, sent }: DispatchTable,
  { id, attempts }: Leased,
  settlement: Settlement,
): StoredOutcome {
  const { state, reason } = settlement;
  const names: Readonly<Record<string, string>> = { Waiting: waiting, Moved: waiting, Sent: sent };
  const seconds = 'seconds' in settlement ? settlement.seconds : 0;
  const reference = 'reference' in settlement ? settlement.reference : undefined;
  const until = 'until' in settlement && { until: settlement.until };
  const is_doubtful = 'isDoubtful' in settlement && settlement.isDoubtful === true;
  const is_reported = 'isReported' in settlement && settlement.isReported === true;
  const span = traceparent();
  const stored = {
    id,
    attempts,
    state: names[state] ?? state,
    reason,
    seconds,
    is_doubtful,
    is_reported,
    ...(span !== undefined && { traceparent: span }),
  };
  return { ...stored, ...until, ...(reference && { reference }) };
}
