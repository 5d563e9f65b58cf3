import { type CarrierOptions, openCarrier } from '@crm/delivery';
import type { Context } from '@crm/service';
import { storeFailure, takeUnsent } from './phone-code.queries.ts';
import { codeMinutes, codeOf } from './phone-code.ts';

/** How phone numbers are confirmed. */
export interface PhoneCodes {
  /** The secret that codes are derived from. */
  readonly secret: string;
  /** Without a carrier, numbers are used without confirmation. */
  readonly carrier: CarrierOptions | undefined;
}

/** Short, because a user waits for the response, and a caller in another process for ten seconds. */
const timeoutMs = 5_000;

const problems = {
  refused: 'The carrier cannot send texts to this number.',
  failed: 'The code could not be sent. Ask for another one.',
  unknown: 'The carrier did not respond, so the code may not arrive. Ask for another one if it does not.',
} as const;

/**
 * Sends the newest code of a user unless it was sent already. Called after the commit. The code is sent at most once
 * and not retried, because a user who does not receive it can request another one.
 */
export async function sendCode(
  { query, log }: Context,
  userId: number,
  { secret, carrier: options }: PhoneCodes,
): Promise<void> {
  if (!options) return;
  const code = await takeUnsent(query, userId);
  if (!code) return;
  const text = `${codeOf(secret, code)} is your code to confirm this phone number. It is valid for ${codeMinutes} minutes.`;
  const carrier = openCarrier(options, timeoutMs);
  const outcome = await carrier.text({ key: code.key, to: code.phone, text }).finally(carrier.close);
  if (outcome.outcome === 'sent') return;
  log.warn({ outcome: outcome.outcome, code: code.id }, 'a code to confirm a phone number was not sent');
  await storeFailure(query, code.id, { problem: problems[outcome.outcome], reason: outcome.reason });
}
