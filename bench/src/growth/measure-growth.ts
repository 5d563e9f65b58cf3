import { Client } from 'undici';
import { requestJson, requestText } from '../request-json.ts';
import { growthRequests, type Reader, type Viewer } from './requests.ts';

/** A system, and those who ask it. */
export interface SeededSystem {
  readonly url: string;
  readonly viewers: readonly Viewer[];
}

/** A request by a viewer to systems of several sizes. */
export interface Row {
  readonly viewer: string;
  readonly request: string;
  /** Of each system. */
  readonly times: readonly Times[];
}

export interface Times {
  readonly p50: number;
  readonly p99: number;
  /** How many were refused because they took longer than a second. */
  readonly refused: number;
}

const warmUps = 40;

/**
 * Milliseconds of each request by each viewer, over one connection to each system. The systems answer in turns, one request after
 * the other, so that the speed of the machine, which changes within minutes, is the same for all.
 */
export async function measureGrowth(
  systems: readonly SeededSystem[],
  requests: number,
  signal: AbortSignal,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, { title: viewer }] of (systems[0]?.viewers ?? []).entries()) {
    await using open = new AsyncDisposableStack();
    const callers = await Promise.all(systems.map(({ url, viewers }) => callerFor(url, viewers[index])));
    for (const { client } of callers) open.defer(() => client.close());
    for (const [request, pathOf] of Object.entries(growthRequests)) {
      const answers = callers.map((): Answer[] => []);
      for (let nth = 0; nth < warmUps + requests; nth++) {
        for (const [size, { client, reader }] of callers.entries()) {
          signal.throwIfAborted();
          answers[size]?.push(await answerTo(client, reader, pathOf(reader, nth)));
        }
      }
      rows.push({ viewer, request, times: answers.map((all) => timesOf(all.slice(warmUps))) });
    }
  }
  return rows;
}

/** A viewer with a connection and a cursor. */
async function callerFor(url: string, viewer: Viewer | undefined) {
  if (!viewer) throw new Error('All systems have the same viewers.');
  const reader: Reader = { ...viewer, cursor: await cursorFor(url, viewer) };
  return { client: new Client(url, { pipelining: 1 }), reader };
}

interface Answer {
  readonly ms: number;
  readonly isRefused: boolean;
}

async function answerTo(client: Client, { token }: Reader, path: string): Promise<Answer> {
  const start = performance.now();
  const isRefused = await requestText(client, token, { method: 'GET', path }).then(
    () => false,
    (error: Error) => {
      if (!error.message.includes('too_slow')) throw error;
      return true;
    },
  );
  return { ms: performance.now() - start, isRefused };
}

function timesOf(answers: readonly Answer[]): Times {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const share = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  return { p50: share(0.5), p99: share(0.99), refused: answers.filter(({ isRefused }) => isRefused).length };
}

/** The cursor behind half of what a viewer sees, or behind 50,000, to which it walks. */
async function cursorFor(url: string, { token }: Viewer): Promise<string> {
  let cursor = '';
  for (let seen = 0, half = 1; seen < half; seen += pageLimit) {
    const path = `/contacts?$limit=${pageLimit}&$sort[modified_at]=-1&$after=${encodeURIComponent(cursor)}`;
    const { total, next } = await requestJson(url, token, { method: 'GET', path });
    half = Math.min(50_000, Number(total) / 2 - pageLimit);
    cursor = String(next);
  }
  return cursor;
}

const pageLimit = 100;
