import type { FastifyInstance } from 'fastify';

/** Whether each service can serve requests now, by name. */
export type Reachable = () => Promise<Readonly<Record<string, boolean>>>;

/**
 * For orchestrators, without a token. `/healthz`: the process is alive. `/readyz`: it accepts requests, whatever the state of the
 * services, so that one failing service does not take every gateway out of a load balancer. `/status`: the state of the services.
 */
export function mountHealth(app: FastifyInstance, reachable: Reachable, isLeaving: () => boolean): void {
  // Not limited: an orchestrator that is refused would restart the gateway or send it no more requests.
  const config = { isUnlimited: true };
  app.get('/healthz', { config }, () => ({ status: 'ok' }));
  app.get('/readyz', { config }, (_request, reply) =>
    isLeaving() ? reply.code(503).send({ status: 'unavailable' }) : reply.send({ status: 'ok' }),
  );
  app.get('/status', async (_request, reply) => {
    const entries = Object.entries(await reachable());
    const isWhole = entries.every(([, isReady]) => isReady);
    const services = Object.fromEntries(
      entries.map(([name, isReady]) => [name, isReady ? 'ok' : 'unavailable']),
    );
    return reply.code(isWhole ? 200 : 503).send({ status: isWhole ? 'ok' : 'unavailable', services });
  });
}
