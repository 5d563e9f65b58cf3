import { setTimeout as sleep } from 'node:timers/promises';
import { system } from '@crm/auth';
import type { Caller } from '@crm/client';
import { type Database, emFor, migrate, openDatabase, type Store } from '@crm/data';
import {
  type Broker,
  connectBroker,
  keepAuditPartitions,
  type Lag,
  listenToCommits,
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
import { refusalIn } from './faults.ts';
import { deleteOldAnswers } from './idempotency.ts';
import type { Logger } from './log.ts';
import { observeService } from './observe-service.ts';
import type { Peers } from './peers.ts';
import { repeat, repeatAtOnce } from './repeat.ts';
import { serve } from './server.ts';
import { mountStatus } from './status.ts';
import { auditDays } from './variables.ts';

export interface ServiceRuntime {
  readonly databaseUrl: string;
  readonly natsUrl: string;
  /** On how many servers NATS stores each event; 1 unless set. */
  readonly natsReplicas?: number;
  /** For how many days the audit log is kept; 400 unless set. */
  readonly auditDays?: number;
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
   * Stops without losing accepted work: stops workers once they have finished what they have taken, reports not ready,
   * finishes requests in progress, closes connections.
   */
  close(): Promise<void>;
}

const hour = 3_600_000;

/**
 * Migrates a service's schema, once the database is available, and runs the service: its transports, its relay, its
 * consumers and its workers.
 */
export async function startService(
  definition: ServiceDefinition,
  runtime: ServiceRuntime,
): Promise<RunningService> {
  const { databaseUrl, natsUrl, natsReplicas = 1, log, peers } = runtime;
  const { name, store, procedures } = definition;
  const database = await whenAvailable(log, () => open(databaseUrl, store));
  const time = await followDatabase(database.query, runtime.clock, log);
  const broker = connectBroker({ url: natsUrl, replicas: natsReplicas, name: `crm-${name}`, log });
  const commits = listenToCommits(database.pool, log);
  const relay = startRelay({ pool: database.pool, broker, commits, service: name, log });
  const authenticate = authenticator(name, peers.callers.identity ?? ((own) => call(own)));
  const serving = { ...runtime, name, procedures, database, authenticate, clock: time.now };
  const call: Caller = callerOf(serving);
  const background = await startBackground(definition, runtime, { database, commits, broker, relay, time });
  const status = { ...definition, service: name, database, broker, relay, authenticate, time };
  const { close: closeServer, ...server } = await serve({
    ...runtime,
    database,
    problem: time.problem,
    transports: { ...serving, call, subscriptions: eventSubscriptions(serving, commits) },
    mountOthers: (app) => mountStatus(app, status),
  });
  return {
    name,
    ...server,
    call,
    database,
    lag: relay.lag,
    async close() {
      // Workers take nothing more from now on, and what they have taken may need this service until it is done.
      await background.stop();
      await closeServer();
      await relay.stop();
      await commits.stop();
      await broker.close();
      await database.close();
    },
  };
}

const unavailableMs = 1_000;

/** Migrates and connects. */
async function open(url: string, store: Store): Promise<Database> {
  await migrate(url, store);
  // Connects, which fails if the database went away again.
  return openDatabase({ url, store });
}

/** Repeats a step of the start for as long as the database is unavailable. */
async function whenAvailable<Value>(log: Logger, step: () => Promise<Value>): Promise<Value> {
  for (let failures = 0; ; failures++) {
    try {
      return await step();
    } catch (error) {
      if (!refusalIn(error)) throw error;
      if (failures === 0) log.warn({ err: error }, 'the start waits because the database is unavailable');
      await sleep(unavailableMs);
    }
  }
}

interface Connections extends Pick<WorkerContext, 'database' | 'commits'> {
  readonly broker: Broker;
  readonly relay: Relay;
  readonly time: DatabaseClock;
}

/** Everything that no request asks for: workers, consumers, metrics and the deletion of what is kept for some time. */
async function startBackground(
  definition: ServiceDefinition,
  { log, peers, auditDays: days = auditDays }: ServiceRuntime,
  { database, commits, broker, relay, time }: Connections,
) {
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
  });
  const purge = repeat('delete old answers', hour, () => deleteOldAnswers(database.query, time.now()), log);
  const audit = repeatAtOnce('keep the audit log', hour, () => keepAuditPartitions(database.pool, days), log);
  const metrics = { stop: observeService({ ...definition, database, relay, broker, time }) };
  const all = [consumer, purge, audit, time, metrics, ...workers];
  return { stop: () => Promise.all(all.map((part) => part.stop())) };
}
