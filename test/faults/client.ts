import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import type { Json, Method } from '../system/api.ts';

export interface Answered {
  readonly status: number;
  readonly body: Json;
}

/** The public API of one caller, for whom every request is repeated until it has an answer. */
export interface Patient {
  readonly get: (path: string) => Promise<Answered>;
  /** With one Idempotency-Key for all attempts. */
  readonly write: (method: Method, path: string, body?: unknown) => Promise<Answered>;
}

interface Attempted extends Answered {
  /** After how long it may be repeated, if it may. */
  readonly repeatMs: number | undefined;
}

interface ClientOptions {
  /** The gateways that accept requests. Each attempt goes to the next. */
  readonly urls: () => readonly string[];
  /** Told of an answer that a client must never get. */
  readonly note: (finding: string) => void;
  /** For how long a request is repeated; longer than any fault lasts. */
  readonly patienceMs?: number | undefined;
  /** Told of a request that has to be repeated. */
  readonly repeated?: (why: string) => void;
}

/** Longer than a gateway waits for a service. */
const attemptMs = 15_000;
const pauseMs = 100;

/**
 * Clients that repeat what was not answered, when they are told to: after a 503 and a request in progress, and soon after a lost
 * connection.
 */
export function patientClients({
  urls,
  note,
  patienceMs = 90_000,
  repeated = () => undefined,
}: ClientOptions) {
  const agent = new Agent({ connections: 32, headersTimeout: attemptMs, bodyTimeout: attemptMs });
  const counts = { requests: 0, failed: 0, repeated: 0, unavailable: 0, cut: 0, longestMs: 0 };
  let turn = 0;

  async function attempt(
    method: Method,
    path: string,
    headers: Record<string, string>,
    body: unknown,
  ): Promise<Attempted | undefined> {
    const all = urls();
    turn += 1;
    const url = all[turn % all.length];
    if (url === undefined) return undefined;
    try {
      const response = await agent.request({
        origin: url,
        method,
        path,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      const after = response.headers['retry-after'];
      const answer = { status: response.statusCode, body: (text === '' ? {} : JSON.parse(text)) as Json };
      return { ...answer, repeatMs: after === undefined ? undefined : Number(after) * 1_000 };
    } catch (error) {
      counts.cut += 1;
      repeated(`${method} ${path}: ${error}`);
      return undefined;
    }
  }

  /** Whether an answer is one to the request itself. */
  function isFinal({ status, repeatMs, body }: Attempted, what: string) {
    if (status === 503) {
      counts.unavailable += 1;
      repeated(`${what}: ${JSON.stringify(body)}`);
    }
    const mayRepeat = repeatMs !== undefined;
    if (status >= 500 && !(status === 503 && mayRepeat))
      note(`${what} was answered with ${status}: ${JSON.stringify(body)}`);
    return status < 500 && !mayRepeat;
  }

  async function send(token: string, method: Method, path: string, body?: unknown): Promise<Answered> {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const began = performance.now();
    const outcomes = new Map<string, number>();
    counts.requests += 1;
    while (performance.now() < began + patienceMs) {
      const answer = await attempt(method, path, headers, body);
      if (outcomes.size === 0 && (answer?.status ?? 503) >= 500) counts.failed += 1;
      if (answer && isFinal(answer, `${method} ${path}`)) {
        counts.longestMs = Math.max(counts.longestMs, performance.now() - began);
        return answer;
      }
      const outcome = answer ? `${answer.status} ${answer.body.message}` : 'no answer';
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      counts.repeated += 1;
      await sleep(answer?.repeatMs ?? pauseMs);
    }
    const each = [...outcomes].map(([outcome, count]) => `${count} times ${outcome}`);
    throw new Error(`${method} ${path} was not carried out in ${patienceMs} ms: ${each.join(', ')}`);
  }

  return {
    /**
     * How many requests were sent, how many of them failed at first, and how many attempts followed; how many attempts
     * got a 503 or lost their connection; and how long a client has waited for an answer, at most.
     */
    counts,
    as: (token: string): Patient => ({
      get: (path) => send(token, 'GET', path),
      write: (method, path, body) => send(token, method, path, body),
    }),
    /** Whether one request is answered, at the first attempt or, after a lost connection, at the other gateway. */
    isServed: async (token: string, path: string): Promise<boolean> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await attempt('GET', path, headers, undefined);
      return answer?.status === 200;
    },
    close: () => agent.destroy(),
  };
}

export type Clients = ReturnType<typeof patientClients>;

/** A change must have succeeded. */
export async function ok(answering: Promise<Answered>): Promise<Json & { readonly id: number }> {
  const { status, body } = await answering;
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body as Json & { readonly id: number };
}
