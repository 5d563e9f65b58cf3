import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startThings } from '../../test/things-gateway.ts';

const linksIn = (page: string) =>
  [...page.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map((match) => match[1] ?? '');

async function startSite() {
  const { port, request } = await startThings();
  const open = (path: string, accept = 'text/html,*/*;q=0.8', more = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept, ...more } });
  return { open, request };
}

describe('the front page', () => {
  it('links to what the gateway publishes, and clients other than browsers find nothing at its path', async () => {
    const { open, request } = await startSite();
    const front = await open('/');
    expect([front.status, front.headers.get('vary')]).toEqual([200, 'Accept']);
    expect(front.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const page = await front.text();
    expect(page).not.toMatch(/<script|https?:/);
    const ofServices = /^\/($|account|\.well-known\/)/;
    const links = linksIn(page).filter((link) => !ofServices.test(link));
    expect(links).toEqual(
      expect.arrayContaining(['/docs', '/openapi.json', '/asyncapi.json', '/readyz', '/status']),
    );
    for (const link of links) expect([link, (await open(link)).status]).toEqual([link, 200]);
    for (const accept of ['application/json', '*/*'])
      expect(await request('GET /', { headers: { accept } })).toMatchObject({
        status: 404,
        json: { name: 'NotFound', message: 'Page not found' },
      });
    expect(await request('POST /', { body: {} })).toMatchObject({ status: 405 });
  });
});

describe('the documents', () => {
  it('are public', async () => {
    const { request } = await startSite();
    const api = await request('GET /openapi.json', { token: null });
    expect(api.json.openapi).toMatch(/^3\.1/);
    const events = await request('GET /asyncapi.json', { token: null });
    const committed = readFileSync(
      new URL('../../../packages/events/asyncapi.json', import.meta.url),
      'utf8',
    );
    expect(events.json).toEqual(JSON.parse(committed));
  });

  it('have code samples that call the URL of this server', async () => {
    const { request } = await startThings({ publicUrl: 'https://office.example.com' });
    const { json } = await request('GET /openapi.json', { token: null });
    type Sampled = { readonly 'x-codeSamples': readonly { readonly source: string }[] };
    const paths = json.paths as Readonly<Record<string, Readonly<Record<string, Sampled>>>>;
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
    const sources = operations.flatMap(({ 'x-codeSamples': samples }) => samples.map(({ source }) => source));
    expect(sources.length).toBe(3 * 10);
    for (const source of sources) expect(source).toContain('https://office.example.com');
    expect(sources.join()).not.toContain('crm.example.com');
  });

  it('are found through the catalog', async () => {
    const { open } = await startSite();
    const catalog = await open('/.well-known/api-catalog', 'application/linkset+json');
    expect(catalog.headers.get('content-type')).toBe(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    const { linkset } = (await catalog.json()) as {
      linkset: [Record<string, { href: string; type: string }[]>];
    };
    const { anchor, ...relations } = linkset[0];
    expect(anchor).toBe('/');
    const links = Object.values(relations).flat();
    expect(links.length).toBeGreaterThan(4);
    for (const { href, type } of links.filter(({ href }) => !href.includes('oauth'))) {
      const found = await open(href, type);
      expect([href, found.status, found.headers.get('content-type')]).toEqual([
        href,
        200,
        expect.stringContaining(type),
      ]);
    }
  });
});

describe('the reference', () => {
  it('loads nothing from elsewhere and publishes no other file', async () => {
    const { open } = await startSite();
    const page = await (await open('/docs/')).text();
    expect(page).not.toMatch(/https?:|\/\/\w|<script>|<style/);
    const files = linksIn(page);
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) {
      const { status, headers } = await open(file);
      expect([file, status]).toEqual([file, 200]);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; (script-src 'self';|frame)/,
      );
      expect(headers.get('content-type')).toMatch(/^(text\/(css|javascript); charset=utf-8)$/);
    }
    const again = { 'if-none-match': String((await open('/docs')).headers.get('etag')) };
    expect((await open('/docs', 'text/html', again)).status).toBe(304);
    expect((await open('/docs/..%2fpackage.json')).status).toBe(404);
  });
});
