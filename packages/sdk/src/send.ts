import { type Auth, renew, tokenOf } from './auth.ts';
import { CrmError, errorOf, UnreachableError } from './crm-error.ts';
import { wait, waitBeforeRepeat } from './retry.ts';

export interface CallOptions {
  /** For a change; a new key by default. Use the same key to repeat a call whose outcome is unknown. */
  readonly idempotencyKey?: string;
  /** Only if the record still has this ETag. */
  readonly ifMatch?: string;
  /** Execute and answer the request, but undo its changes. */
  readonly dryRun?: boolean;
  /** Refuse fields that cannot be written, instead of ignoring them. */
  readonly strict?: boolean;
  readonly signal?: AbortSignal;
  /** Called with each response that is returned, to read its headers, such as the ETag. */
  readonly onResponse?: (response: Pick<Response, 'status' | 'headers'>) => void;
}

/** How requests are sent. */
export interface Sending {
  readonly auth: Auth;
  readonly fetch: typeof fetch;
  /** How often a request is repeated after a temporary failure. */
  readonly maxRetries: number;
  /** How long to wait for the response to one attempt. */
  readonly timeoutMs: number;
}

export interface Outgoing {
  readonly method: string;
  readonly url: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Sends a request until there is a response, and returns its body. Repeating is safe, because every change has an
 * Idempotency-Key. Throws `CrmError` if the API refuses it and `UnreachableError` if it does not respond.
 */
export async function send(outgoing: Outgoing, options: CallOptions, sending: Sending): Promise<unknown> {
  const key = outgoing.method === 'GET' ? undefined : (options.idempotencyKey ?? crypto.randomUUID());
  let hasRenewed = false;
  for (let failures = 0; ; ) {
    const token = await tokenOf(sending.auth);
    try {
      return await attempt(outgoing, { ...options, key, token }, sending);
    } catch (error) {
      if (error instanceof CrmError && error.status === 401 && !hasRenewed) {
        hasRenewed = true;
        if (await renew(sending.auth, token)) continue;
      }
      failures += 1;
      const ms = waitBeforeRepeat(error, failures, { ...sending, random: Math.random });
      if (ms === undefined) throw error;
      await wait(ms, options.signal);
    }
  }
}

interface Attempt extends CallOptions {
  readonly key: string | undefined;
  readonly token: string;
}

/** Throws `CrmError` for every unsuccessful response. */
async function attempt(
  { method, url, body }: Outgoing,
  { key, token, signal, ifMatch, strict, onResponse }: Attempt,
  { fetch, timeoutMs }: Sending,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const request: RequestInit = {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(strict && { prefer: 'handling=strict' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  };
  const unreachable = (error: unknown): never => {
    signal?.throwIfAborted();
    throw new UnreachableError(error, key);
  };
  const response = await fetch(url, request).catch(unreachable);
  if (!response.ok) throw await errorOf(response);
  onResponse?.(response);
  // A connection can also break in the middle of a response.
  return response.status === 204 ? undefined : response.json().catch(unreachable);
}
