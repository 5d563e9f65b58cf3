import { Refused, type TrpcError, unavailable } from '@crm/contract';
import type { Dispatcher, Pool } from 'undici';
import { type Breaker, breaker, type Outcome } from './breaker.ts';
import type { Call, Caller } from './call.ts';
import { demandTimeLeft } from './deadline.ts';
import { jsonOfResult } from './wire.ts';

/** The headers that carry the parts of a call other than its input. */
export const callHeaders = {
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  ifMatch: 'if-match',
  dryRun: 'dry-run',
  replayed: 'idempotency-replayed',
  prefer: 'prefer',
  /** Of W3C Trace Context. */
  traceparent: 'traceparent',
  /** How many milliseconds are left, because clocks of machines differ. */
  timeLeft: 'x-time-left',
} as const;

export interface RemoteCaller {
  readonly call: Caller;
  close(): Promise<void>;
}

/** Whoever waits for so long has a right to an answer. */
export const patienceMs = 5_000;

/** The connections to an instance that ends are lost together, and two of them may be tried before one to another instance. */
const maxAttempts = 3;

/** A connection that was refused, or closed before the response: not one that keeps silent, for which there was waited enough. */
const isLost = (error: unknown) =>
  error instanceof Error &&
  'code' in error &&
  /^(UND_ERR_SOCKET|ECONNRESET|ECONNREFUSED|EPIPE)$/.test(String(error.code));

/** More would only wait for longer than their callers do. */
const maxInProgress = 1_000;

/**
 * Calls a service in another process by tRPC: `POST /trpc/<procedure>` with the input as JSON; the result is JSON text
 * that is not parsed here. Connections are kept alive. Throws `Unavailable` if the service cannot be reached, does not
 * respond within 10 s, before the deadline of the call or before the caller aborts, or if 1,000 calls to it are in progress;
 * for some seconds also after several calls in a row to which it did not respond. A call that may be repeated is sent again
 * when its connection is lost, as that to an instance that ends.
 */
export function remoteCaller(url: string): RemoteCaller {
  let pool: Promise<Pool> | undefined;
  const peer = breaker();
  let inProgress = 0;
  const call: Caller = async (call) => {
    if (inProgress >= maxInProgress) throw unavailable({ retryAfter: 1 });
    inProgress += 1;
    pool ??= openPool(url);
    const sending = pool.then((open) => send(open, peer, call));
    const { statusCode, headers, text } = await sending.finally(() => {
      inProgress -= 1;
    });
    const replayed = headers[callHeaders.replayed] === 'true';
    const json = statusCode === 200 ? jsonOfResult(text) : undefined;
    if (json !== undefined) return { text: json, replayed };
    throw refusedBy(text, replayed) ?? new Error(`${call.procedure} responded with status ${statusCode}.`);
  };
  return { call, close: async () => (await pool)?.close() };
}

/** Loaded by those who call, because a process that calls nobody imports this too. */
async function openPool(url: string): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(url, {
    connections: 64,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    connectTimeout: 2_000,
  });
}

async function send(pool: Pool, peer: Breaker, call: Call) {
  const leftMs = demandTimeLeft(call);
  const settle = peer.admit();
  const began = performance.now();
  const signals = [call.signal, leftMs === undefined ? undefined : AbortSignal.timeout(leftMs)];
  let outcome: Outcome;
  try {
    const signal = AbortSignal.any(signals.filter((signal) => signal !== undefined));
    const response = await attempt(pool, call, leftMs, signal);
    outcome = 'reached';
    return response;
  } catch {
    // A caller that gives up early says nothing about the peer.
    const gaveUp = signals.some((signal) => signal?.aborted);
    if (!gaveUp || performance.now() - began > patienceMs) outcome = 'failed';
    throw unavailable({ retryAfter: 1 });
  } finally {
    settle(outcome);
  }
}

async function attempt(
  pool: Pool,
  call: Call,
  leftMs: number | undefined,
  signal: AbortSignal,
  attempts = 1,
): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly text: string }> {
  try {
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: `/trpc/${call.procedure}`,
      headers: headersOf(call, leftMs),
      body: JSON.stringify(call.input ?? {}),
      signal,
    });
    return { statusCode, headers, text: await body.text() };
  } catch (error) {
    const mayRepeat = call.mayRepeat || call.dryRun || call.idempotencyKey !== undefined;
    if (!mayRepeat || !isLost(error) || signal.aborted || attempts === maxAttempts) throw error;
    return attempt(pool, call, leftMs, signal, attempts + 1);
  }
}

function headersOf(
  { credential, requestId, traceparent, idempotencyKey, ifMatch, dryRun, strict }: Call,
  leftMs: number | undefined,
): Record<string, string> {
  if (credential && credential.token === undefined) {
    throw new Error('A resolved actor cannot be sent to another process; use a token.');
  }
  return {
    'content-type': 'application/json',
    [callHeaders.requestId]: requestId,
    ...(traceparent !== undefined && { [callHeaders.traceparent]: traceparent }),
    ...(credential && { authorization: `Bearer ${credential.token}` }),
    ...(idempotencyKey !== undefined && { [callHeaders.idempotencyKey]: idempotencyKey }),
    ...(ifMatch !== undefined && { [callHeaders.ifMatch]: ifMatch }),
    ...(dryRun && { [callHeaders.dryRun]: 'true' }),
    ...(leftMs !== undefined && { [callHeaders.timeLeft]: String(leftMs) }),
    ...(strict && { [callHeaders.prefer]: 'handling=strict' }),
  };
}

function refusedBy(text: string, replayed: boolean): Refused | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: TrpcError };
    return error?.data.problem && new Refused({ ...error.data.problem, replayed });
  } catch {
    return undefined;
  }
}
