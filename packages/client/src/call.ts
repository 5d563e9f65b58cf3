import type { Actor } from '@crm/auth';

/**
 * Who is calling: a token from another process, or an actor that this process has resolved, with the token if there was
 * one.
 */
export type Credential =
  | { readonly token: string }
  | { readonly actor: Actor; readonly token?: string }
  | undefined;

/** One request to a service, the same in process and over the network. */
export interface Call {
  /** `<resource>.<verb>`, such as `hotnesses.find`. */
  readonly procedure: string;
  readonly input: unknown;
  readonly credential: Credential;
  readonly requestId: string;
  /** The span that a call from another process belongs to, as W3C `traceparent`. In this process it is the current one. */
  readonly traceparent?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** If-Match: a mutation changes nothing unless the record has one of these ETags. */
  readonly ifMatch?: string | undefined;
  /** Carry out a mutation and undo it: the response is the same, and nothing is stored. */
  readonly dryRun?: boolean | undefined;
  /** Refuse fields of a body that cannot be written, instead of ignoring them. */
  readonly strict?: boolean | undefined;
  /**
   * Whether the call may be repeated: it changes nothing, or repeating it has no further effect. This includes calls with an
   * Idempotency-Key and dry runs.
   */
  readonly mayRepeat?: boolean | undefined;
  /** The time, by `performance.now()` of this process, after which nobody is waiting for the response. */
  readonly deadline?: number | undefined;
  /** Aborted when the caller no longer waits for the response. A transaction that has begun still takes effect. */
  readonly signal?: AbortSignal | undefined;
}

/** A call without its procedure and input: what the headers of a request contain. */
export type Envelope = Omit<Call, 'procedure' | 'input'>;

export interface Answer {
  /** JSON. */
  readonly text: string;
  /** Whether this is the stored response to an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean;
}

/** Carries out a call. Throws `Refused` for an expected error; any other error is a fault. */
export type CallService = (call: Call) => Promise<Answer>;
