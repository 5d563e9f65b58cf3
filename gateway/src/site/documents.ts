import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { openApiDocument } from '../openapi/document.ts';
import type { Route } from '../routes.ts';
import { publishedFile } from './published-file.ts';

const type = 'application/json; charset=utf-8';

const asyncApiFile = createRequire(import.meta.url).resolve('@crm/events/asyncapi.json');

/** The descriptions of the API and of the events for programs. */
export function mountDocuments(app: FastifyInstance, routes: readonly Route[]): void {
  const openApi = () => JSON.stringify(openApiDocument(routes));
  app.get('/openapi.json', publishedFile({ type, content: openApi }));
  app.get('/asyncapi.json', publishedFile({ type, content: () => readFile(asyncApiFile, 'utf8') }));
}
