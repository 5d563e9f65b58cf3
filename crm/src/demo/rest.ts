import { setTimeout as sleep } from 'node:timers/promises';

interface Page {
  readonly total: number;
  readonly data: readonly Record<string, unknown>[];
}

/** The public API as one person uses it. */
export interface Rest {
  list(path: string): Promise<Page>;
  get(path: string): Promise<Record<string, unknown>>;
  patch(path: string, body: object): Promise<Record<string, unknown>>;
  /** Creates at most once, however often it is repeated within a day. */
  create(path: string, body: object, key: string): Promise<Record<string, unknown>>;
}

const json = { 'content-type': 'application/json' };

export function restAs(gateway: string, token: string): Rest {
  const ask = async <Body>(path: string, request: RequestInit = {}, headers: Record<string, string> = {}) => {
    const answer = await fetch(gateway + path, {
      ...request,
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: AbortSignal.timeout(15_000),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`${request.method ?? 'GET'} ${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Body;
  };
  return {
    list: (path) => ask(path),
    get: (path) => ask(path),
    patch: (path, body) => ask(path, { method: 'PATCH', body: JSON.stringify(body) }, json),
    create: (path, body, key) =>
      ask(path, { method: 'POST', body: JSON.stringify(body) }, { ...json, 'idempotency-key': key }),
  };
}

/** Looks again and again until there is something or the time is over; what was seen last is answered. */
export async function listUntilFilled(rest: Rest, path: string, patienceMs: number): Promise<Page> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const page = await rest.list(path);
    if (page.total > 0 || performance.now() > deadline) return page;
    await sleep(100);
  }
}
