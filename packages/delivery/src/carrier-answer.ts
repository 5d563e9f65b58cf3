import { z } from 'zod';
import { parsed, Sid } from './carrier-api.ts';
import { carrierError } from './carrier-errors.ts';
import { failed, type Outcome, refused, sent, unknown } from './outcome.ts';

const Accepted = z.object({ sid: Sid });
const ValidationError = z.object({
  message: z.string().max(2_000),
  code: z.int().nullish(),
});

/** A rate limit, a timeout, or a wrong account or password: not the fault of the message, which waits until that is fixed. */
const retryable = [401, 403, 404, 408, 429];

/**
 * Error codes of Twilio about our account or numbers: a sending number that is not verified, invalid, unable to send texts, not
 * ours, in several accounts, being ported or not registered; a full queue of a number or of the account; a suspended account, or
 * one on trial or without an approved profile, which reaches verified numbers only.
 */
const retryableErrors = [
  21210, 21212, 21601, 21606, 21616, 21659, 21660, 30034, 21611, 30001, 30002, 21219, 21608, 572002, 572005,
  573002, 573005,
];

/** The outcome for a response of the provider. The body is validated before it is used. */
export async function outcomeOfAnswer(status: number, body: { text(): Promise<string> }): Promise<Outcome> {
  const text = await body.text().catch(() => '');
  if (status >= 200 && status < 300) {
    const accepted = Accepted.safeParse(parsed(text));
    return accepted.success
      ? sent(accepted.data.sid)
      : unknown(`The provider responded with ${status} without an id for the message.`);
  }
  const error = ValidationError.safeParse(parsed(text));
  const reason = `The provider responded with ${status}${error.success ? `: ${error.data.message}` : '.'}`;
  // A failing provider, or a proxy in front of it, may already have accepted the message.
  if (status >= 500) return unknown(reason);
  const code = error.data?.code ?? 0;
  if (status < 400 || retryable.includes(status) || retryableErrors.includes(code)) return failed(reason);
  const { reason: why, block } = carrierError(String(code));
  return block ? { outcome: 'refused', reason: why, block } : refused(reason);
}
