/**
 * What became of one attempt to hand a message over, and so what its sender does next:
 *
 * - `handed over`: done. The reference is the provider's own name of the message.
 * - `refused`: the message as it is will never be taken. Give up, and show the reason.
 * - `failed`: surely not taken. Try again later, with the same key.
 * - `unknown`: the connection ended before the answer came, so the message may have been taken. An e-mail is
 *   sent again with the same key, and its Message-ID lets the reader's mail program see that it is the same.
 *   A text or a call is sent again only where the provider is known to honour the key: a phone cannot tell.
 */
export type Outcome =
  | { readonly outcome: 'sent'; readonly reference: string }
  | { readonly outcome: 'refused' | 'failed' | 'unknown'; readonly reason: string };

export const sent = (reference: string): Outcome => ({ outcome: 'sent', reference });
export const refused = (reason: string): Outcome => ({ outcome: 'refused', reason: readable(reason) });
export const failed = (reason: string): Outcome => ({ outcome: 'failed', reason: readable(reason) });
export const unknown = (reason: string): Outcome => ({ outcome: 'unknown', reason: readable(reason) });

/** A reason is stored and shown, and a provider may write anything into its answer. */
function readable(reason: string): string {
  return reason
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}
