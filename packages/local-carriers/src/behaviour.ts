/** A message that arrived, before it is accepted or not. */
export interface Arrival {
  readonly channel: 'email' | 'text' | 'call';
  /** The local part of the Message-ID of an e-mail; the Idempotency-Key of a text or call. */
  readonly key: string | undefined;
  readonly to: string;
}

/**
 * What a provider does with an arrival. `answer` is an SMTP reply code or an HTTP status, and nothing is accepted; `hang` never
 * responds; `break` closes the connection without a response. The latter two say whether the message is accepted before.
 */
export type Behaviour =
  | 'accept'
  | 'hang before accepting'
  | 'hang after accepting'
  | 'break before accepting'
  | 'break after accepting'
  | { readonly answer: number; readonly body?: string };

export type Hook = (arrival: Arrival) => Behaviour | undefined;

/** The current hook. Without one, everything is accepted. */
export function behaviours() {
  let hook: Hook | undefined;
  return {
    behave: (next: Hook | undefined) => {
      hook = next;
    },
    of: (arrival: Arrival): Behaviour => hook?.(arrival) ?? 'accept',
  };
}

export const accepts = (behaviour: Behaviour): boolean =>
  behaviour === 'accept' || behaviour === 'hang after accepting' || behaviour === 'break after accepting';
