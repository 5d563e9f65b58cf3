import type { AddressInfo } from 'node:net';
import { system } from '@crm/auth';
import type { Caller } from '@crm/client';
import { type Database, emFor, migrate, openDatabase } from '@crm/data';
import { connectBroker, startConsumer, startRelay } from '@crm/messaging';
import Fastify, { type FastifyInstance } from 'fastify';
import { addressOf } from './addresses.ts';
import { authenticator } from './authenticate.ts';
import { callerOf } from './call.ts';
import type { Clock } from './clock.ts';
import type { ServiceDefinition } from './definition.ts';
import { forgetOldAnswers } from './idempotency.ts';
import type { Logger } from './log.ts';
import type { Peers } from './peers.ts';
import { repeat } from './repeat.ts';
import { mountStatus } from './status.ts';
import { mountRpc, mountTrpc } from './transports.ts';

export interface ServiceRuntime {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Identity among them, except for identity itself. */
  readonly peers: Peers;
  readonly clock: Clock;
  readonly log: Logger;
  readonly checkAnswers: boolean;
}

export interface RunningService {
  readonly name: string;
  readonly url: string;
  readonly call: Caller;
  readonly database: Database;
  /** How many events wait to be sent, and for how many seconds the oldest has. */
  lag(): Promise<{ waiting: number; oldestSeconds: number }>;
  /**
   * Stops without losing anything that was accepted: not ready, requests under way finished, workers stopped,
   * connections closed.
   */
  close(): Promise<void>;
}

const hour = 3_600_000;

/** Brings a service's schema up to date and runs it: its transports, its relay, its consumers and its workers. */
export async function startService(
  definition: ServiceDefinition,
  runtime: ServiceRuntime,
): Promise<RunningService> {
  const { clock, log, peers } = runtime;
  await migrate(runtime.databaseUrl, definition.store);
  const database = await openDatabase({ url: runtime.databaseUrl, store: definition.store });
  const broker = connectBroker({ url: runtime.natsUrl, name: `crm-${definition.name}`, log });
  const relay = startRelay({ pool: database.pool, broker, service: definition.name, log });
  const authenticate = authenticator(definition.name, peers.callers.identity ?? ((own) => call(own)));
  const call: Caller = callerOf({
    procedures: definition.procedures,
    database,
    peers,
    authenticate,
    clock,
    log,
    checkAnswers: runtime.checkAnswers,
  });
  const workers = await Promise.all(definition.workers.map((work) => work({ database, clock, log, peers })));
  const consumer = startConsumer({
    service: definition.name,
    subscriptions: definition.subscriptions,
    openEm: () => emFor(database.orm, system),
    broker,
    log,
  });
  const purge = repeat('forget old answers', hour, () => forgetOldAnswers(database.query, clock()), log);

  const { name: service, store } = definition;
  const server = await listen(definition, call, database, runtime, (app) =>
    mountStatus(app, { service, store, database, broker, relay, authenticate }),
  );
  return {
    name: definition.name,
    url: server.url,
    call,
    database,
    lag: relay.lag,
    async close() {
      await server.close();
      await Promise.all([consumer.stop(), purge.stop(), ...workers.map((worker) => worker.stop())]);
      await relay.stop();
      await broker.close();
      await database.close();
    },
  };
}

async function listen(
  definition: ServiceDefinition,
  call: Caller,
  database: Database,
  runtime: ServiceRuntime,
  mountOthers: (app: FastifyInstance) => void,
) {
  const app = Fastify({
    bodyLimit: 2 * 1024 * 1024,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    // Requests under way are finished; connections that only wait for the next one are not waited for.
    forceCloseConnections: 'idle',
    return503OnClosing: true,
  });
  let ready = true;
  app.addHook('onSend', async (_request, reply) => {
    // A connection kept alive after its last answer would hold the server open until it times out.
    if (!ready) reply.header('connection', 'close');
  });
  app.get('/healthz', async () => ({ status: 'alive' }));
  app.get('/readyz', async (_request, reply) => {
    const answers =
      ready &&
      (await database.query('select 1', []).then(
        () => true,
        () => false,
      ));
    return reply.code(answers ? 200 : 503).send({ status: answers ? 'ready' : 'not ready' });
  });
  mountOthers(app);
  const transports = { procedures: definition.procedures, call, log: runtime.log };
  await app.register(async (scope) => mountTrpc(scope, transports));
  await app.register(async (scope) => mountRpc(scope, transports));
  await app.listen({ host: runtime.host, port: runtime.port });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: addressOf(runtime.host, port),
    async close() {
      ready = false;
      await app.close();
    },
  };
}
