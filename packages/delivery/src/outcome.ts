import type { DeliveryBlock } from './carrier-errors.ts';

/**
 * The outcome of one attempt to send a message, which decides what its sender does next:
 *
 * - `sent`: done. The reference is the provider's id of the message.
 * - `refused`: the provider will never accept this message. Give up, and show the reason.
 * - `failed`: certainly not accepted. Try again later, with the same key.
 * - `unknown`: the connection ended before the response, so the message may have been accepted. An e-mail is sent again with the
 *   same key, and its Message-ID lets the recipient's mail program recognize it. A text or a call is sent again only if the
 *   provider is known to honor keys, because a phone cannot recognize a duplicate.
 */
export type Outcome =
  | { readonly outcome: 'sent'; readonly reference: string }
  /** `block`: why nothing more is sent to the number or address. */
  | { readonly outcome: 'refused'; readonly reason: string; readonly block?: DeliveryBlock }
  | { readonly outcome: 'failed' | 'unknown'; readonly reason: string };

export const sent = (reference: string): Outcome => ({ outcome: 'sent', reference });
export const refused = (reason: string): Outcome => ({ outcome: 'refused', reason: readable(reason) });
export const failed = (reason: string): Outcome => ({ outcome: 'failed', reason: readable(reason) });
export const unknown = (reason: string): Outcome => ({ outcome: 'unknown', reason: readable(reason) });

/** A reason is stored and displayed, and a provider's response may contain anything. */
function readable(reason: string): string {
  return reason
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
