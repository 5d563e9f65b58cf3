import { errorCode, Refused, type TrpcError, unavailable } from '@crm/contract';
import type { Dispatcher, Pool } from 'undici';
import { type Breaker, breaker, type Outcome } from './breaker.ts';
import type { Call, CallService } from './call.ts';
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
  /** The milliseconds that are left rather than a time, because clocks of machines differ. */
  timeLeft: 'x-time-left',
} as const;

export interface RemoteService {
  readonly call: CallService;
  close(): Promise<void>;
}

/** No caller waits longer for the whole response, and the service is told so: it must not begin what nobody waits for. */
const longestMs = 10_000;

/**
 * The connections to an instance that ends are all lost together, and a call may try two of them before it tries one to another
 * instance.
 */
const maxAttempts = 3;

/**
 * A connection that was refused, had no way to its host, or was closed before the response: not a silent peer, whose timeout has
 * already passed.
 */
const isLost = (error: unknown) =>
  /^(UND_ERR_SOCKET|ECONN(RESET|REFUSED)|E(HOST|NET)UNREACH|EPIPE)$/.test(errorCode(error));

/** Further calls would wait longer than their callers do. */
const maxInProgress = 1_000;

/**
 * Calls a service in another process over tRPC: `POST /trpc/<procedure>` with the input as JSON; the result is JSON text that
 * is not parsed here. Connections are kept alive. Throws `Unavailable` if the service cannot be reached, does not respond
 * within 10 s, before the deadline of the call or before the caller aborts, if a proxy says so in its place, or if 1,000
 * calls to it are in progress; also for some seconds after several calls in a row got no response. A call that may be
 * repeated is sent again when its connection is lost, for example because the instance ends.
 */
export function remoteService(url: string): RemoteService {
  let pool: Promise<Pool> | undefined;
  const peer = breaker();
  let inProgress = 0;
  const call: CallService = async (call) => {
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
    const unknown = new Error(`${call.procedure} responded with status ${statusCode}.`);
    const isOfProxy = statusCode >= 502 && statusCode <= 504;
    throw refusedBy(text, replayed) ?? (isOfProxy ? unavailable({ retryAfter: 1, cause: unknown }) : unknown);
  };
  return { call, close: async () => (await pool)?.close() };
}

/** Loaded with the first call, because processes that call nobody import this file too. */
async function openPool(url: string): Promise<Pool> {
  const { Pool } = await import('undici');
  return new Pool(url, {
    // One for each call, which would otherwise wait here for those of others, whatever the turns of its user are.
    connections: maxInProgress,
    // Each call has its own limit, which the service knows.
    headersTimeout: 0,
    bodyTimeout: 0,
    connectTimeout: 2_000,
  });
}

async function send(pool: Pool, peer: Breaker, call: Call) {
  const leftMs = Math.min(demandTimeLeft(call) ?? longestMs, longestMs);
  const unlimited = {
    method: 'POST',
    path: `/trpc/${call.procedure}`,
    headers: headersOf(call, leftMs),
    body: JSON.stringify(call.input ?? {}),
  } as const;
  const settle = peer.admit();
  // From here on it is lifted in any case.
  const limit = limitTo(leftMs, call.signal);
  const request = { ...unlimited, signal: limit.signal };
  let outcome: Outcome;
  try {
    const response = await attempt(pool, request, mayRepeat(call) ? maxAttempts : 1);
    outcome = 'reached';
    return response;
  } catch (error) {
    // It was not sent, which says nothing about the peer.
    if (errorCode(error) === 'UND_ERR_INVALID_ARG') throw error;
    outcome = request.signal.aborted ? 'unanswered' : 'failed';
    // A client that has disconnected is nothing to log.
    throw unavailable({ retryAfter: 1, ...(!call.signal?.aborted && { cause: error }) });
  } finally {
    limit.lift();
    settle(outcome);
  }
}

/**
 * A signal that is aborted when the time is up or the caller aborts. `AbortSignal.timeout` would keep a timer for the whole time
 * for each call, even if it has had its response for long, and `AbortSignal.any` takes as long as a third of a short call.
 */
function limitTo(ms: number, ofCaller: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, ms);
  ofCaller?.addEventListener('abort', abort);
  const lift = () => {
    clearTimeout(timer);
    ofCaller?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, lift };
}

type Sendable = Dispatcher.RequestOptions & { readonly signal: AbortSignal };

async function attempt(
  pool: Pool,
  request: Sendable,
  attemptsLeft: number,
): Promise<Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly text: string }> {
  try {
    const { statusCode, headers, body } = await pool.request(request);
    return { statusCode, headers, text: await body.text() };
  } catch (error) {
    if (attemptsLeft === 1 || !isLost(error) || request.signal.aborted) throw error;
    return attempt(pool, request, attemptsLeft - 1);
  }
}

const mayRepeat = ({ mayRepeat, dryRun, idempotencyKey }: Call) =>
  mayRepeat || dryRun || idempotencyKey !== undefined;

function headersOf(
  { credential, requestId, traceparent, idempotencyKey, ifMatch, dryRun, strict }: Call,
  leftMs: number,
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
    [callHeaders.timeLeft]: String(leftMs),
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
