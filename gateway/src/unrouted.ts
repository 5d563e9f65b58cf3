import type { FastifyInstance } from 'fastify';
import { methodFinder, pathOf, whyUnrouted } from './paths.ts';
import type { Route } from './routes.ts';

const own = ['/healthz', '/readyz', '/docs', '/openapi.json'].map(
  (path) => ({ method: 'GET', path }) as const,
);

/** 404 for a path that nobody knows, 405 with `Allow` for another method of a known one. */
export function refuseUnrouted(app: FastifyInstance, routes: readonly Route[]): void {
  const methodsOf = methodFinder([...routes, ...own]);
  // Before the body is read, because nothing in it could matter.
  app.addHook('preParsing', async ({ is404, method, url }, reply) => {
    if (!is404) return;
    const offered = methodsOf(pathOf(url));
    if (offered.length > 0) reply.header('allow', offered.join(', '));
    throw whyUnrouted(method, offered);
  });
  // Without it Fastify would answer by itself, before the hook.
  app.setNotFoundHandler(() => undefined);
}
