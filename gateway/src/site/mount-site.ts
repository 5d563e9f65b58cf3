import type { FastifyInstance } from 'fastify';
import type { Route } from '../routes.ts';
import { catalogPath, mountDocuments } from './documents.ts';
import { guidePaths, mountGuides } from './guides.ts';
import { mountHome } from './home.ts';
import { mountReference } from './reference.ts';

/** What the gateway publishes about the API, for people and for programs. No token is needed. */
export function mountSite(app: FastifyInstance, routes: readonly Route[], publicUrl?: string): void {
  mountHome(app);
  mountDocuments(app, routes, publicUrl);
  mountReference(app);
  mountGuides(app);
}

/** The public paths for people and programs, without the files of the reference page. */
export const sitePaths: readonly string[] = [
  '/',
  '/docs',
  '/openapi.json',
  '/asyncapi.json',
  catalogPath,
  ...guidePaths,
];
