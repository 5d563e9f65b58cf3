import { setTimeout as sleep } from 'node:timers/promises';

interface Page {
  readonly total: number;
  readonly data: readonly Record<string, unknown>[];
}

/** The public API with the access token of one user. */
export interface Rest {
  list(path: string): Promise<Page>;
  get(path: string): Promise<Record<string, unknown>>;
  patch(path: string, body: object): Promise<Record<string, unknown>>;
  /** Creates at most once, however often it is repeated within a day. */
  create(path: string, body: object, key: string): Promise<Record<string, unknown>>;
}

const json = { 'content-type': 'application/json' };

export function restAs(gateway: string, token: string): Rest {
  const request = async <Body>(
    path: string,
    init: RequestInit = {},
    headers: Record<string, string> = {},
  ) => {
    const response = await retried(() =>
      fetch(gateway + path, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...headers },
        signal: AbortSignal.timeout(15_000),
      }),
    );
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${init.method ?? 'GET'} ${path} responded with ${response.status}: ${text}`);
    return JSON.parse(text) as Body;
  };
  return {
    list: (path) => request(path),
    get: (path) => request(path),
    patch: (path, body) => request(path, { method: 'PATCH', body: JSON.stringify(body) }, json),
    create: (path, body, key) =>
      request(path, { method: 'POST', body: JSON.stringify(body) }, { ...json, 'idempotency-key': key }),
  };
}

const patienceMs = 30_000;
const pauseMs = 250;

/** A machine that is busy for a moment must not abort the first start. Each of these requests may be repeated. */
async function retried(send: () => Promise<Response>): Promise<Response> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const response = await send();
    const mayPass = response.status === 503 || response.headers.has('retry-after');
    if (!mayPass || performance.now() > deadline) return response;
    await response.body?.cancel();
    await sleep(pauseMs);
  }
}

/** Lists repeatedly until there are records or the time is up, and returns the last page. */
export async function listUntilFilled(rest: Rest, path: string, patienceMs: number): Promise<Page> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const page = await rest.list(path);
    if (page.total > 0 || performance.now() > deadline) return page;
    await sleep(100);
  }
}
