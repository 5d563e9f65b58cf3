import { Client } from 'undici';
import { requestJson, requestText } from '../request-json.ts';
import { growthRequests, type Viewer } from './requests.ts';

export interface Times {
  readonly viewer: string;
  readonly request: string;
  readonly p50: number;
  readonly p99: number;
  /** How many were refused because they took longer than a second. */
  readonly refused: number;
}

const warmUps = 40;

/** Milliseconds of each request by each viewer, one after the other over one connection. */
export async function measureGrowth(
  url: string,
  viewers: readonly Viewer[],
  requests: number,
  signal: AbortSignal,
): Promise<Times[]> {
  const client = new Client(url, { pipelining: 1 });
  const measured: Times[] = [];
  try {
    for (const viewer of viewers) {
      const cursor = await cursorFor(url, viewer);
      for (const [request, pathOf] of Object.entries(growthRequests)) {
        const times: number[] = [];
        let refused = 0;
        for (let nth = 0; nth < warmUps + requests; nth++) {
          signal.throwIfAborted();
          const start = performance.now();
          const asked = { method: 'GET', path: pathOf({ ...viewer, cursor }, nth) } as const;
          const isRefused = await requestText(client, viewer.token, asked).then(
            () => false,
            (error: Error) => {
              if (!error.message.includes('too_slow')) throw error;
              return true;
            },
          );
          if (nth < warmUps) continue;
          times.push(performance.now() - start);
          if (isRefused) refused += 1;
        }
        times.sort((a, b) => a - b);
        const share = (part: number) => times[Math.min(requests - 1, Math.floor(requests * part))] ?? 0;
        measured.push({ viewer: viewer.title, request, p50: share(0.5), p99: share(0.99), refused });
      }
    }
  } finally {
    await client.close();
  }
  return measured;
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
