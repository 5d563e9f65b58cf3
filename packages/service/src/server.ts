import type { AddressInfo } from 'node:net';
import type { Database } from '@crm/data';
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { addressOf } from './addresses.ts';
import { drainWhenClosing } from './drain.ts';
import { keepOrder } from './keep-order.ts';
import type { Transports } from './transports.ts';
import { mountTrpc } from './trpc.ts';
import { withoutSchemas } from './without-schemas.ts';

interface Options {
  readonly host: string;
  readonly port: number;
  readonly database: Database;
  /** Why it should not serve requests although it could. */
  readonly problem: () => string | undefined;
  readonly transports: Transports;
  /** How long it waits for its callers to leave when it closes. */
  readonly drainMs: number;
  readonly mountOthers: (app: FastifyInstance) => void;
}

const serverOptions = {
  ...withoutSchemas,
  bodyLimit: 2 * 1024 * 1024,
  // Any key is passed on: the contract rejects unknown ones.
  onProtoPoisoning: 'ignore',
  onConstructorPoisoning: 'ignore',
  // The names of all procedures of a batch.
  routerOptions: { maxParamLength: 5_000 },
  requestTimeout: 30_000,
  keepAliveTimeout: 75_000,
  // A token names all teammates and sub-accounts of its user, some 16 bytes for each.
  http: { maxHeaderSize: 1_048_576 },
  // Requests in progress are finished, and those that still come are served; idle connections are closed.
  forceCloseConnections: 'idle',
  return503OnClosing: false,
} as const satisfies FastifyServerOptions & { http: object };

/** Serves a service over HTTP: its transports, its health checks, and what else is mounted. */
export async function serve({ host, port, database, problem, transports, drainMs, mountOthers }: Options) {
  const app = Fastify(serverOptions);
  keepOrder(app);
  // First, so that clients find another instance.
  app.addHook('preClose', async () => transports.subscriptions.close());
  const { leave, isLeaving } = drainWhenClosing(app, drainMs);
  const isReady = async () => !isLeaving() && problem() === undefined && (await isAvailable(database));
  mountHealth(app, isReady, problem);
  mountOthers(app);
  await app.register(async (scope) => mountTrpc(scope, transports));
  await app.listen({ host, port });
  const address = app.server.address() as AddressInfo;
  return {
    url: addressOf(host, address.port),
    isReady,
    /** Stops being ready, but continues to serve. */
    leave,
    close: async () => app.close(),
  };
}

/** `/healthz`: the process is alive. `/readyz`: it can serve requests now. */
function mountHealth(app: FastifyInstance, isReady: () => Promise<boolean>, problem: Options['problem']) {
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', reason: problem() });
  });
}

function isAvailable(database: Database): Promise<boolean> {
  return database.query('select 1', []).then(
    () => true,
    () => false,
  );
}
