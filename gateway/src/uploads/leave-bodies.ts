import type { FastifyInstance } from 'fastify';

/** Leaves request bodies to their handlers, which read files as they arrive. */
export function leaveBodies(scope: FastifyInstance) {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async () => undefined);
}
