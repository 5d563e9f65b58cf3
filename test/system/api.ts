import { Pool } from 'undici';

export type Json = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json;
}

export interface Page {
  readonly total: number;
  readonly limit: number;
  readonly skip: number;
  readonly data: readonly Json[];
  readonly next?: string | null;
}

export type Headers = Readonly<Record<string, string>>;
export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS';

/** Throws if a response is not as it must be. */
export type CheckAnswer = (
  request: { readonly method: Method; readonly path: string },
  answer: Answer,
) => void;

/** The public API for one caller. Every response is compared with the document. */
export interface Api {
  send(method: Method, path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  get(path: string, headers?: Headers): Promise<Answer>;
  /** A list whose status must be 200. */
  list(path: string): Promise<Page>;
  post(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Headers): Promise<Answer>;
  delete(path: string, headers?: Headers): Promise<Answer>;
}

export type ApiOf = (token: string | undefined) => Api;

/** Bodies that are already text or bytes are sent as they are. */
export function apiAt(url: string, check: CheckAnswer): { readonly as: ApiOf; close(): Promise<void> } {
  const pool = new Pool(url, { connections: 32, headersTimeout: 25_000, bodyTimeout: 25_000 });
  const as: ApiOf = (token) => {
    const send: Api['send'] = async (method, path, body, headers = {}) => {
      const response = await pool.request({
        method,
        path,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: contentOf(body) }),
      });
      const text = await response.body.text();
      const answer = {
        status: response.statusCode,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
        ),
        body: text === '' ? {} : (JSON.parse(text) as Json),
      };
      check({ method, path }, answer);
      return answer;
    };
    return {
      send,
      get: (path, headers) => send('GET', path, undefined, headers),
      async list(path) {
        const { status, body } = await send('GET', path);
        if (status !== 200) throw new Error(`GET ${path} responded with ${status}: ${body.message}`);
        return body as unknown as Page;
      },
      post: (path, body, headers) => send('POST', path, body, headers),
      patch: (path, body, headers) => send('PATCH', path, body, headers),
      delete: (path, headers) => send('DELETE', path, undefined, headers),
    };
  };
  return { as, close: () => pool.close() };
}

function contentOf(body: unknown): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
}
