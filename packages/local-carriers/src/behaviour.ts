/** What arrived and what can be said of it before it is taken. */
export interface Arrival {
  readonly channel: 'email' | 'text' | 'call';
  /** Of an e-mail the local part of its Message-ID, of a text or call its Idempotency-Key. */
  readonly key: string | undefined;
  readonly to: string;
}

/**
 * How a provider meets an arrival. `answer` is a reply code of SMTP or a status of HTTP, and nothing is taken;
 * `hang` never answers; `break` ends the connection without an answer. The last two say whether the message
 * was taken before.
 */
export type Behaviour =
  | 'accept'
  | 'hang before accepting'
  | 'hang after accepting'
  | 'break before accepting'
  | 'break after accepting'
  | { readonly answer: number; readonly body?: string };

export type Hook = (arrival: Arrival) => Behaviour | undefined;

/** The hook of this moment; none accepts everything. */
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
