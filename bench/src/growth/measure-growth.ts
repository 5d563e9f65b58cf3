import { Client } from 'undici';
import { requestText } from './request-json.ts';
import { growthRequests, type Viewer } from './requests.ts';

export interface Times {
  readonly viewer: string;
  readonly request: string;
  readonly p50: number;
  readonly p99: number;
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
      for (const [request, pathOf] of Object.entries(growthRequests)) {
        const times: number[] = [];
        for (let nth = 0; nth < warmUps + requests; nth++) {
          signal.throwIfAborted();
          const start = performance.now();
          await requestText(client, viewer.token, { method: 'GET', path: pathOf(viewer, nth) });
          if (nth >= warmUps) times.push(performance.now() - start);
        }
        times.sort((a, b) => a - b);
        const share = (part: number) => times[Math.min(requests - 1, Math.floor(requests * part))] ?? 0;
        measured.push({ viewer: viewer.title, request, p50: share(0.5), p99: share(0.99) });
      }
    }
  } finally {
    await client.close();
  }
  return measured;
}
