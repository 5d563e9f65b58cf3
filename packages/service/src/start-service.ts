import { system } from '@crm/auth';
import type { CallService } from '@crm/client';
import { type Database, emFor } from '@crm/data';
import {
  type Broker,
  connectBroker,
  correctMoments,
  keepPartitions,
  type Lag,
  listenToCommits,
  partitionedTables,
  type Relay,
  startConsumer,
  startRelay,
} from '@crm/messaging';
import { authenticator } from './authenticate.ts';
import { entryTo } from './call.ts';
import type { Clock } from './clock.ts';
import { type DatabaseClock, followDatabase } from './database-clock.ts';
import type { ServiceDefinition, WorkerContext } from './definition.ts';
import { eventSubscriptions } from './event-subscriptions.ts';
import type { FairShare } from './fair-share.ts';
import { deleteOldAnswers } from './idempotency.ts';
import type { Logger } from './log.ts';
import { observeReadiness, observeService } from './observe-service.ts';
import { openPools, type Pools, whenAvailable } from './open-pools.ts';
import type { Peers } from './peers.ts';
import { repeat, repeatAtOnce } from './repeat.ts';
import { serve } from './server.ts';
import { mountStatus } from './status.ts';
import { turnsOfDatabase } from './turns-of-database.ts';

interface ServiceOptions {
  readonly databaseUrl: string;
  /** A pooler in front of that database, for everything that needs no session of its own. */
  readonly poolerUrl: string | undefined;
  readonly natsUrl: string;
  /** On how many servers NATS stores each event. */
  readonly natsReplicas: number;
  /** For how many days the audit log is kept. */
  readonly auditDays: number;
  /** For how many days its history is kept; undefined to keep it forever. */
  readonly historyDays: number | undefined;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Includes identity, except in identity itself. */
  readonly peers: Peers;
  /** Of this machine. What the service does is timed by the clock of its database. */
  readonly clock: Clock;
  readonly log: Logger;
  /** Validate each response against the contract. */
  readonly checkAnswers: boolean;
  /** How long it waits for its callers to leave when it closes. */
  readonly drainMs: number;
}

export interface RunningService {
  readonly name: string;
  readonly url: string;
  readonly call: CallService;
  /** Whether it can serve requests now. */
  isReady(): Promise<boolean>;
  readonly database: Database;
  lag(): Promise<Lag>;
  /**
   * Stops without losing accepted work: reports that it is not ready, ends each connection with its next response, stops
   * workers once they have finished their current work, finishes requests in progress, and closes connections.
   */
  close(): Promise<void>;
}

const hour = 3_600_000;
const keepEveryMs = 600_000;

/**
 * Migrates a service's schema, once the database is available, and runs the service: its transports, its relay, its
 * consumers and its workers.
 */
export async function startService(
  definition: ServiceDefinition,
  options: ServiceOptions,
): Promise<RunningService> {
  const { name, procedures } = definition;
  const { host, port, drainMs, peers, log, checkAnswers } = options;
  const shared = await connect(definition, options);
  const { pools, commits, turns, relay, time, readiness } = shared;
  const { requests: database, background } = pools;
  const authenticate = authenticator(name, peers.services.identity ?? ((own) => call(own)));
  const runtime = { name, procedures, database, peers, authenticate, log, checkAnswers, turns };
  const call: CallService = entryTo({ ...runtime, clock: time.now, committed: commits.wake });
  const work = await startBackground(definition, options, shared);
  const subscriptions = eventSubscriptions({ procedures, authenticate, log, pool: background.pool, commits });
  const { leave, close, ...server } = await serve({
    host,
    port,
    drainMs,
    database: background,
    problem: time.problem,
    transports: { procedures, call, subscriptions, authenticate, log },
    mountOthers: (app) => mountStatus(app, { ...shared, definition, authenticate, log }),
  });
  readiness.follow(server.isReady);
  return {
    name,
    ...server,
    call,
    database,
    lag: relay.lag,
    async close() {
      // First of all, so that load balancers send it no new clients.
      leave();
      // Workers start nothing more from now on, but what they have started may need this service until it is done.
      await work.stop();
      await close();
      await shared.close();
    },
  };
}

/** What the parts of a service use together. */
interface Shared extends Pick<WorkerContext, 'commits'> {
  readonly pools: Pools;
  readonly turns: FairShare;
  readonly broker: Broker;
  readonly relay: Relay;
  readonly time: DatabaseClock;
  readonly readiness: ReturnType<typeof observeReadiness>;
  close(): Promise<void>;
}

async function connect(definition: ServiceDefinition, options: ServiceOptions): Promise<Shared> {
  const { name } = definition;
  const { natsUrl, natsReplicas, clock, log } = options;
  const readiness = observeReadiness(name);
  const pools = await openPools(definition, options);
  const { query, pool, ownConnection } = pools.background;
  const time = await followDatabase(query, clock, log);
  const broker = connectBroker({ url: natsUrl, replicas: natsReplicas, name: `crm-${name}`, log });
  const commits = listenToCommits(pool, log, ownConnection);
  const relay = startRelay({ pool, broker, commits, service: name, log });
  return {
    pools,
    turns: turnsOfDatabase(),
    commits,
    broker,
    relay,
    time,
    readiness,
    async close() {
      readiness.stop();
      await relay.stop();
      await commits.stop();
      await broker.close();
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}

/** Everything that no request asks for: workers, consumers and the deletion of expired data. */
async function startBackground(
  definition: ServiceDefinition,
  { log, peers, auditDays, historyDays }: ServiceOptions,
  { pools, turns, commits, broker, relay, time }: Shared,
) {
  const { name, subscriptions } = definition;
  const database = pools.background;
  const context = { database, commits, clock: time.now, log, peers };
  const workers = await Promise.all(
    definition.workers.map((work) => whenAvailable(log, () => work(context))),
  );
  const consumer = startConsumer({
    service: name,
    subscriptions,
    openEm: () => emFor(database.orm, system),
    broker,
    log,
    onHandled: commits.wake,
  });
  const purge = repeat('delete old answers', hour, () => deleteOldAnswers(database.query, time.now()), log);
  const stopping = new AbortController();
  const history = definition.history ? [{ ...definition.history, days: historyDays }] : [];
  const tables = [...partitionedTables(auditDays), ...history];
  const keep = () => keepPartitions(database.ownConnection(), tables, stopping.signal);
  const partitions = repeatAtOnce('keep partitions', keepEveryMs, keep, log);
  const correct = async () => void (await correctMoments(database.pool, log));
  const moments = repeatAtOnce('correct moments', keepEveryMs, correct, log);
  const metrics = { stop: observeService({ name, subscriptions, pools, turns, relay, broker, time }) };
  const all = [consumer, purge, partitions, moments, time, metrics, ...workers];
  return {
    stop() {
      stopping.abort();
      return Promise.all(all.map((part) => part.stop()));
    },
  };
}
