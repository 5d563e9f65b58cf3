import type { CallService } from '@crm/client';
import { errorFormOf, fault, page, type Refused, rateLimited, unavailable, web } from '@crm/contract';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway } from './app.ts';
import { routesOf, webRoutes } from './routes.ts';

const answers = { 200: { 'text/html': null } };
const operations = {
  show: page({ rest: 'GET /pages/:name', kind: 'query', summary: 'Show' }),
  send: page({ rest: 'POST /pages/:name', kind: 'mutation', summary: 'Send' }),
  authorize: web({ rest: 'GET /authorize', kind: 'query', summary: 'Ask', errors: 'page', answers }),
  token: web({ rest: 'POST /token', kind: 'mutation', summary: 'Issue', errors: 'oauth', answers }),
  callback: web({
    rest: 'POST /callback',
    kind: 'mutation',
    summary: 'Report',
    audience: 'carriers',
    answers,
  }),
};

/** A gateway whose only service refuses all requests. */
async function start(refused: Refused) {
  const site: CallService = () => Promise.reject(refused);
  const app = createGateway({
    routes: [],
    webRoutes: routesOf({ site: { operations } }),
    services: { site },
    publicUrl: 'https://crm.example.com',
    asGateway: async () => undefined,
    admit: async () => ({ credential: undefined }),
    log: pino({ level: 'silent' }),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return (line: string, { accept = '*/*', body }: { accept?: string; body?: string } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    return fetch(`${url}${path}`, { method, headers: { accept }, ...(body !== undefined && { body }) });
  };
}

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

describe('a service that cannot be reached', () => {
  it.each(['GET /pages/x', 'POST /pages/x', 'GET /authorize?client_id=a'])(
    'is explained to a browser at %s by a page that says what to do',
    async (line) => {
      const request = await start(unavailable({ retryAfter: 1 }));
      const answer = await request(line, { accept: browser });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toContain("style-src 'sha256-");
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.text()).toMatch(/not available at the moment[\s\S]*Wait a moment/);
    },
  );

  it('is explained in JSON to programs that ask a page for it', async () => {
    const request = await start(unavailable({ retryAfter: 1 }));
    const answer = await request('GET /pages/x', { accept: 'application/json' });
    expect(await answer.json()).toMatchObject({ name: 'Unavailable', reason: 'unavailable' });
  });

  it('is explained to carriers as in the JSON API', async () => {
    const request = await start(unavailable({ retryAfter: 1 }));
    const answer = await request('POST /callback', { accept: browser });
    expect(await answer.json()).toMatchObject({ name: 'Unavailable', code: 503 });
  });
});

describe('an error of an OAuth endpoint that the gateway responds with', () => {
  it.each([
    ['while the service cannot be reached', unavailable({ retryAfter: 1 }), 503, 'temporarily_unavailable'],
    ['after too many requests', rateLimited({ retryAfter: 9 }), 429, 'temporarily_unavailable'],
    ['after a fault', fault(), 500, 'server_error'],
  ])('has the members of RFC 6749 %s', async (_when, refused, status, error) => {
    const request = await start(refused);
    const answer = await request('POST /token');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([
      status,
      refused.retryAfter === undefined ? null : String(refused.retryAfter),
    ]);
    expect(await answer.json()).toMatchObject({
      error,
      error_description: refused.message,
      error_uri: `https://crm.example.com/guides/errors#${error}`,
      reason: refused.reason,
    });
  });

  it('has them when the request itself cannot be read', async () => {
    const request = await start(fault());
    const answer = await request('POST /token', { body: 'x'.repeat(65_537) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ error: 'invalid_request', reason: 'body_too_large' });
  });
});

it.each(webRoutes.map((route) => [route.operation.rest ?? '', route] as const))(
  'errors have the form that clients of the path read: %s',
  (_rest, { path, operation }) => {
    const isPage = Object.hasOwn(operation.web?.answers[200] ?? {}, 'text/html');
    if (isPage) expect(errorFormOf(operation)).toBe('page');
    expect(errorFormOf(operation) === 'oauth').toBe(/^\/oauth2\/(token|revoke|introspect)$/.test(path));
  },
);
