import { isForPrograms } from '@crm/contract';
import type { FastifyInstance } from 'fastify';
import { nearestPathIn } from './nearest-path.ts';
import { methodFinder, pathOf, whyUnrouted } from './paths.ts';
import type { Route } from './routes.ts';
import { sitePaths } from './site/mount-site.ts';

const own = ['/healthz', '/readyz', '/status', ...sitePaths].map(
  (path) => ({ method: 'GET', path }) as const,
);

/** 404 for an unknown path, 405 with `Allow` for an unsupported method of a known one. */
export function refuseUnrouted(app: FastifyInstance, routes: readonly Route[]): void {
  const methodsOf = methodFinder([...routes, ...own]);
  const ofPrograms = routes.filter(({ operation }) => isForPrograms(operation));
  const nearestTo = nearestPathIn([...ofPrograms, ...own].map(({ path }) => path));
  // Before the body is read, because it cannot matter.
  app.addHook('preParsing', async ({ is404, method, url }, reply) => {
    if (!is404) return;
    const path = pathOf(url);
    const supported = methodsOf(path);
    if (supported.length > 0) reply.header('allow', supported.join(', '));
    throw whyUnrouted(method, supported, supported.length > 0 ? undefined : nearestTo(path));
  });
  // Without it Fastify would respond itself, before the hook.
  app.setNotFoundHandler(() => undefined);
}
