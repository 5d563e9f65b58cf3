import type { FastifyInstance } from 'fastify';

/** `/healthz`: the process is alive. `/readyz`: requests can be sent to it now. For orchestrators, without a token. */
export function mountHealth(app: FastifyInstance, ready: () => Promise<boolean>): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    // What cannot be asked is not ready, whatever the reason.
    const isReady = await ready().catch(() => false);
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' });
  });
}
