import type { FastifyInstance } from 'fastify';

/** `/healthz`: the process is alive. `/readyz`: it can serve requests now. For orchestrators, without a token. */
export function mountHealth(app: FastifyInstance, ready: () => Promise<boolean>): void {
  app.get('/healthz', () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    // A check that fails means not ready, whatever the reason.
    const isReady = await ready().catch(() => false);
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'unavailable' });
  });
}
