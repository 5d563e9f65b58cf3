import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi/document.ts';
import type { Route } from '../routes.ts';

const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' };

const asyncApiFile = createRequire(import.meta.url).resolve('@crm/events/asyncapi.json');

/** The descriptions of the API and of the events for programs. Prepared at the first request, so as not to delay the start. */
export function mountDocuments(app: FastifyInstance, routes: readonly Route[]): void {
  const documents = {
    '/openapi.json': () => JSON.stringify(openApiDocument(routes)),
    '/asyncapi.json': () => readFileSync(asyncApiFile, 'utf8'),
  };
  for (const [path, write] of Object.entries(documents)) {
    let document: string | undefined;
    app.get(path, (_request, reply) => {
      document ??= write();
      return reply.headers(headers).send(document);
    });
  }
}
