import type { CallService } from '@crm/client';
import { type WebAnswer, type WebRequest, web } from '@crm/contract';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGateway } from './app.ts';
import { routesOf } from './routes.ts';

const answers = { 200: { 'text/html': null } };
const pages = {
  show: web({ rest: 'GET /pages/:name', kind: 'query', summary: 'Show', answers }),
  send: web({ rest: 'POST /pages/:name', kind: 'mutation', summary: 'Send', answers }),
  sendMail: web({ rest: 'POST /mails', kind: 'mutation', summary: 'Send', answers, isMail: true }),
};

async function start(answer: Partial<WebAnswer> = {}, trustedProxies: readonly string[] = []) {
  const inputs: WebRequest[] = [];
  const site: CallService = async ({ input }) => {
    inputs.push(input as WebRequest);
    return { text: JSON.stringify({ status: 200, headers: {}, body: '', ...answer }), replayed: false };
  };
  const app = createGateway({
    routes: [],
    webRoutes: routesOf({ site: { pages } }),
    services: { site },
    trustedProxies,
    asGateway: async () => undefined,
    admit: async () => ({ credential: undefined }),
    log: pino({ level: 'silent' }),
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  return { inputs, url };
}

describe('a web operation', () => {
  it('receives the raw request, but only the permitted headers', async () => {
    const { inputs, url } = await start();
    await fetch(`${url}//pages/a%20b?x=1&x=2&access_token=t`, {
      method: 'POST',
      body: 'a=1&a=2&ü',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: 'c=1',
        'x-forwarded-for': '6.6.6.6',
        'x-forwarded-host': 'evil',
      },
    });
    expect(inputs).toMatchObject([
      { params: { name: 'a b' }, query: 'x=1&x=2&access_token=t', body: 'a=1&a=2&ü', address: '127.0.0.1' },
    ]);
    expect(inputs[0]?.headers).toMatchObject({ cookie: 'c=1' });
    expect(Object.keys(inputs[0]?.headers ?? {}).join()).not.toMatch(/forwarded|host/);
  });

  it.each([
    ['in UTF-8', Buffer.from('Empf\u00e4nger \u2013 \u65e5')],
    ['in Latin-1', Buffer.from('Empf\u00e4nger', 'latin1')],
  ])('that receives e-mails receives one %s', async (_what, body) => {
    const { inputs, url } = await start();
    const answer = await fetch(`${url}/mails`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(inputs[0]?.body).toMatch(/^Empf\u00e4nger/);
  });

  it("receives the client's address from a trusted proxy, and from nobody else", async () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' };
    const stranger = await start();
    await fetch(`${stranger.url}/pages/x`, { headers });
    expect(stranger.inputs).toMatchObject([{ address: '127.0.0.1' }]);
    const behind = await start({}, ['127.0.0.0/8']);
    await fetch(`${behind.url}/pages/x`, { headers });
    expect(behind.inputs).toMatchObject([{ address: '203.0.113.9' }]);
  });

  it('responds with its own status, headers and body, which other origins cannot read', async () => {
    const headers = {
      'content-type': 'text/html',
      'content-security-policy': "default-src 'none'; style-src 'self'",
      'set-cookie': ['a=1', 'b=2'],
    };
    const { url } = await start({ status: 418, headers, body: '<p>short and stout' });
    const answer = await fetch(`${url}/pages/x`, { headers: { origin: 'https://other.example' } });
    expect(answer.status).toBe(418);
    expect(await answer.text()).toBe('<p>short and stout');
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('content-security-policy')).toContain("style-src 'self'");
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('sends a redirect without following it', async () => {
    const { url } = await start({ status: 303, headers: { location: 'https://app.example/cb?code=1' } });
    const answer = await fetch(`${url}/pages/x`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, 'https://app.example/cb?code=1']);
  });

  it.each([
    ['a body above 64 KiB', 413, { body: 'x'.repeat(65_537), headers: {} }],
    ['an invalid byte', 400, { body: Buffer.from([0x61, 0xff]), headers: {} }],
    ['a compressed body', 415, { body: 'x', headers: { 'content-encoding': 'gzip' } }],
  ])('never receives %s', async (_what, status, { body, headers }) => {
    const { inputs, url } = await start();
    const answer = await fetch(`${url}/pages/x`, { method: 'POST', body, headers });
    expect(answer.status).toBe(status);
    expect(inputs).toEqual([]);
  });

  it('receives a body that is not encoded, in whatever case a client says so', async () => {
    const { inputs, url } = await start();
    const headers = { 'content-encoding': 'Identity' };
    const answer = await fetch(`${url}/pages/x`, { method: 'POST', body: 'x', headers });
    expect(answer.status).toBe(200);
    expect(inputs).toHaveLength(1);
  });

  it('says how large a body may be', async () => {
    const { url } = await start();
    for (const path of ['/pages/x', '/mails']) {
      const answer = await fetch(`${url}${path}`, { method: 'POST', body: 'x'.repeat(65_537) });
      expect(await answer.json()).toMatchObject({
        reason: 'body_too_large',
        message: 'The body is larger than 64 KiB.',
      });
    }
  });

  it('supports the declared methods and no others', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/pages/x`, { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});
