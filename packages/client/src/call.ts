import type { Actor } from '@crm/auth';

/** Who asks: a token as it came over a wire, or an actor that this very process has resolved. */
export type Credential = { readonly token: string } | { readonly actor: Actor } | undefined;

/** One request to a service, the same whether it stays in the process or crosses a wire. */
export interface Call {
  /** `<resource>.<verb>`, such as `hotnesses.find`. */
  readonly procedure: string;
  readonly input: unknown;
  readonly credential: Credential;
  readonly requestId: string;
  readonly idempotencyKey?: string | undefined;
  /** Refuse keys of a body that cannot be written, instead of ignoring them. */
  readonly strict?: boolean | undefined;
  /** Says that nobody waits for the answer any more. What was begun may still be done. */
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  /** JSON. */
  readonly text: string;
  /** Whether an earlier request with the same Idempotency-Key was answered so, and nothing was done now. */
  readonly replayed: boolean;
}

/** Carries out a call. Throws `Refused` to say no; anything else thrown is a fault. */
export type Caller = (call: Call) => Promise<Answer>;
