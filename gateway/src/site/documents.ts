import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import type { Route } from '../routes.ts';
import { publishedFile } from './published-file.ts';

const type = 'application/json; charset=utf-8';

const asyncApiFile = createRequire(import.meta.url).resolve('@crm/events/asyncapi.json');

/** The path that RFC 9727 defines. */
export const catalogPath = '/.well-known/api-catalog';
const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Where programs find out about the API, in the format of RFC 9264. */
const catalog = JSON.stringify({
  linkset: [
    {
      anchor: '/',
      'service-desc': [
        { href: '/openapi.json', type: 'application/json', title: 'The API as an OpenAPI document' },
        { href: '/asyncapi.json', type: 'application/json', title: 'The events as an AsyncAPI document' },
      ],
      'service-doc': [
        { href: '/docs', type: 'text/html', title: 'The reference' },
        { href: '/llms.txt', type: 'text/plain', title: 'The guides, as text' },
      ],
      'service-meta': [
        {
          href: '/.well-known/oauth-protected-resource',
          type: 'application/json',
          title: 'Who issues tokens',
        },
      ],
      status: [{ href: '/status', type: 'application/json' }],
    },
  ],
});

/** The descriptions of the API and of the events for programs, and the catalog that leads to them. */
export function mountDocuments(app: FastifyInstance, routes: readonly Route[], publicUrl?: string): void {
  const openApi = async () => {
    const { openApiDocument } = await import('../openapi/document.ts');
    return JSON.stringify(openApiDocument(routes, publicUrl));
  };
  app.get('/openapi.json', publishedFile({ type, content: openApi }));
  app.get('/asyncapi.json', publishedFile({ type, content: () => readFile(asyncApiFile, 'utf8') }));
  app.get(catalogPath, publishedFile({ type: catalogType, content: () => catalog }));
}
