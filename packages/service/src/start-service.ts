import { system } from '@crm/auth';
import type { Caller } from '@crm/client';
import { type Database, emFor } from '@crm/data';
import {
  type Broker,
  connectBroker,
  keepPartitions,
  type Lag,
  listenToCommits,
  partitionedTables,
  type Relay,
  startConsumer,
  startRelay,
} from '@crm/messaging';
import { authenticator } from './authenticate.ts';
import { callerOf } from './call.ts';
import type { Clock } from './clock.ts';
import { type DatabaseClock, followDatabase } from './database-clock.ts';
import type { ServiceDefinition, WorkerContext } from './definition.ts';
import { eventSubscriptions } from './event-subscriptions.ts';
import { deleteOldAnswers } from './idempotency.ts';
import type { Logger } from './log.ts';
import { observeService } from './observe-service.ts';
import { openPools, type Pools, whenAvailable } from './open-pools.ts';
import type { Peers } from './peers.ts';
import { repeat, repeatAtOnce } from './repeat.ts';
import { serve } from './server.ts';
import { mountStatus } from './status.ts';
import { type TurnsOfDatabase, turnsOfDatabase } from './turns-of-database.ts';
import { auditDays } from './variables.ts';

interface ServiceRuntime {
  readonly databaseUrl: string;
  /** A pooler in front of that database, for everything that needs no session of its own. */
  readonly poolerUrl?: string | undefined;
  readonly natsUrl: string;
  /** On how many servers NATS stores each event; 1 unless set. */
  readonly natsReplicas?: number;
  /** For how many days the audit log is kept; 400 unless set. */
  readonly auditDays?: number;
  /** For how many days its history is kept; for good unless set. */
  readonly historyDays?: number | undefined;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Includes identity, except in identity itself. */
  readonly peers: Peers;
  /** Of this machine. What the service does is timed by the clock of its database. */
  readonly clock: Clock;
  readonly log: Logger;
  readonly checkAnswers: boolean;
  /** For how long it waits for its callers to leave when it closes; not at all unless set. */
  readonly drainMs?: number;
}

export interface RunningService {
  readonly name: string;
  readonly url: string;
  readonly call: Caller;
  /** Whether it can serve requests now. */
  isReady(): Promise<boolean>;
  readonly database: Database;
  lag(): Promise<Lag>;
  /**
   * Stops without losing accepted work: reports not ready and ends each connection with its next response, stops workers once
   * they have finished what they have taken, finishes requests in progress, closes connections.
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
  runtime: ServiceRuntime,
): Promise<RunningService> {
  const { name, procedures } = definition;
  const pools = await openPools(definition, runtime);
  const shared = await connect(definition, runtime, pools);
  const authenticate = authenticator(name, runtime.peers.callers.identity ?? ((own) => call(own)));
  const { commits, turns, time } = shared;
  const database = pools.requests;
  const common = { name, procedures, database, authenticate, committed: commits.wake, clock: time.now };
  const serving = { ...runtime, ...common };
  const call: Caller = callerOf(serving, turns);
  const background = await startBackground(definition, runtime, shared);
  const subscriptions = eventSubscriptions({ ...serving, database: pools.background }, commits);
  const status = { ...definition, ...shared, service: name, authenticate, log: runtime.log };
  const { leave, close, ...server } = await serve({
    ...runtime,
    database: pools.background,
    problem: time.problem,
    transports: { ...serving, call, subscriptions },
    mountOthers: (app) => mountStatus(app, status),
  });
  return {
    name,
    ...server,
    call,
    database,
    lag: shared.relay.lag,
    async close() {
      // First of all, so that balancers give it no new clients.
      leave();
      // Workers take nothing more from now on, and what they have taken may need this service until it is done.
      await background.stop();
      await close();
      await shared.close();
    },
  };
}

/** What the parts of a service use together. `database` is that of the background. */
interface Shared extends Pick<WorkerContext, 'database' | 'commits'> {
  readonly pools: Pools;
  readonly turns: TurnsOfDatabase;
  readonly broker: Broker;
  readonly relay: Relay;
  readonly time: DatabaseClock;
  close(): Promise<void>;
}

async function connect(
  { name }: ServiceDefinition,
  { natsUrl, natsReplicas = 1, clock, log }: ServiceRuntime,
  pools: Pools,
): Promise<Shared> {
  const { background: database } = pools;
  const time = await followDatabase(database.query, clock, log);
  const broker = connectBroker({ url: natsUrl, replicas: natsReplicas, name: `crm-${name}`, log });
  const commits = listenToCommits(database.pool, log, database.ownConnection);
  const relay = startRelay({ pool: database.pool, broker, commits, service: name, log });
  return {
    pools,
    turns: turnsOfDatabase(),
    database,
    commits,
    broker,
    relay,
    time,
    async close() {
      await relay.stop();
      await commits.stop();
      await broker.close();
      await Promise.all(Object.values(pools).map((pool) => pool.close()));
    },
  };
}

/** Everything that no request asks for: workers, consumers and the deletion of what is kept for some time. */
async function startBackground(
  definition: ServiceDefinition,
  { log, peers, auditDays: days = auditDays, historyDays }: ServiceRuntime,
  shared: Shared,
) {
  const { database, commits, broker, time } = shared;
  const context = { database, commits, clock: time.now, log, peers };
  const workers = await Promise.all(
    definition.workers.map((work) => whenAvailable(log, () => work(context))),
  );
  const consumer = startConsumer({
    service: definition.name,
    subscriptions: definition.subscriptions,
    openEm: () => emFor(database.orm, system),
    broker,
    log,
    onHandled: commits.wake,
  });
  const purge = repeat('delete old answers', hour, () => deleteOldAnswers(database.query, time.now()), log);
  const stopping = new AbortController();
  const history = definition.history ? [{ ...definition.history, days: historyDays }] : [];
  const tables = [...partitionedTables(days), ...history];
  const keep = () => keepPartitions(database.ownConnection(), tables, stopping.signal);
  const partitions = repeatAtOnce('keep partitions', keepEveryMs, keep, log);
  const metrics = { stop: observeService({ ...definition, ...shared }) };
  const all = [consumer, purge, partitions, time, metrics, ...workers];
  return {
    stop() {
      stopping.abort();
      return Promise.all(all.map((part) => part.stop()));
    },
  };
}
