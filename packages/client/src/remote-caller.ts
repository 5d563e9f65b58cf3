import { type Problem, Refused, unavailable } from '@crm/contract';
import { Pool } from 'undici';
import type { Call, Caller } from './call.ts';

/** The headers that carry the parts of a call other than its input. */
export const callHeaders = {
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  replayed: 'idempotency-replayed',
  prefer: 'prefer',
} as const;

export interface RemoteCaller {
  readonly call: Caller;
  close(): Promise<void>;
}

/** More would only wait for longer than their callers do. */
const maxInProgress = 1_000;

/**
 * Calls a service in another process: `POST /rpc/<procedure>` with the input as JSON; the response is JSON text that
 * is not parsed here. Connections are kept alive. Throws `Unavailable` if the service cannot be reached, does not
 * respond within 10 s or before the caller aborts, or if 1,000 calls to it are in progress.
 */
export function remoteCaller(url: string): RemoteCaller {
  const pool = new Pool(url, {
    connections: 64,
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    connectTimeout: 2_000,
  });
  let inProgress = 0;
  const call: Caller = async (call) => {
    if (inProgress >= maxInProgress) throw unavailable({ retryAfter: 1 });
    inProgress += 1;
    const { statusCode, headers, text } = await send(pool, call).finally(() => {
      inProgress -= 1;
    });
    const replayed = headers[callHeaders.replayed] === 'true';
    if (statusCode === 200) return { text, replayed };
    throw refusedBy(text, replayed) ?? new Error(`${call.procedure} responded with status ${statusCode}.`);
  };
  return { call, close: () => pool.close() };
}

async function send(pool: Pool, call: Call) {
  try {
    const { statusCode, headers, body } = await pool.request({
      method: 'POST',
      path: `/rpc/${call.procedure}`,
      headers: headersOf(call),
      body: JSON.stringify(call.input ?? {}),
      signal: call.signal ?? null,
    });
    return { statusCode, headers, text: await body.text() };
  } catch {
    throw unavailable({ retryAfter: 1 });
  }
}

function headersOf({ credential, requestId, idempotencyKey, strict }: Call): Record<string, string> {
  if (credential && credential.token === undefined) {
    throw new Error('A resolved actor cannot be sent to another process; use a token.');
  }
  return {
    'content-type': 'application/json',
    [callHeaders.requestId]: requestId,
    ...(credential && { authorization: `Bearer ${credential.token}` }),
    ...(idempotencyKey !== undefined && { [callHeaders.idempotencyKey]: idempotencyKey }),
    ...(strict && { [callHeaders.prefer]: 'handling=strict' }),
  };
}

function refusedBy(text: string, replayed: boolean): Refused | undefined {
  try {
    const problem = JSON.parse(text) as Problem;
    return typeof problem.message === 'string' && typeof problem.name === 'string'
      ? new Refused({ ...problem, replayed })
      : undefined;
  } catch {
    return undefined;
  }
}
