import { type Actor, gateway, system } from '@crm/auth';
import { type CallService, type Client, clientOver } from '@crm/client';
import type { Contract } from '@crm/contract';
import { type Database, emFor, type Row } from '@crm/data';
import { type CloudEvent, type EventType, subjectOf } from '@crm/events';
import { listenToCommits } from '@crm/messaging';
import { lendDatabase } from '@crm/testing';
import { authenticator } from '../src/authenticate.ts';
import { entryTo } from '../src/call.ts';
import {
  type Clock,
  createLog,
  linkedPeers,
  machineClock,
  type ServiceDefinition,
  type WorkerContext,
} from '../src/index.ts';
import { turnsOfDatabase } from '../src/turns-of-database.ts';

/** The data of every event is an object. */
export interface PublishedEvent extends CloudEvent {
  readonly data: Readonly<Record<string, unknown>>;
}

interface ServiceUnderTest<C extends Contract> {
  /** A client on behalf of an actor. */
  as(actor: Actor): Client<C>;
  /** A client that calls each operation for the system as one of those who may. */
  readonly asSystem: Client<C>;
  /** For services that need it as a peer. */
  readonly call: CallService;
  /** The events that its transactions left, oldest first. */
  published(): Promise<PublishedEvent[]>;
  /** Delivers a domain event to all its handlers in one transaction, as the broker would. */
  deliver(event: EventType, data: object, at?: Date, version?: number): Promise<void>;
  /** Delivers an event as another service has published it, unless nothing subscribes to it. */
  receive(event: PublishedEvent): Promise<void>;
  /** For what works beside requests. */
  readonly database: Database;
  /** What its workers get, for tests that do their work themselves. */
  readonly workerContext: WorkerContext;
  /** Bypasses all visibility rules, to read what is stored. */
  rows(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

interface Options {
  readonly clock?: Clock;
  /** The services it calls, which are under test too. */
  readonly peers?: Readonly<Record<string, CallService>>;
}

/** The whole service without HTTP and the broker: real procedures on a real database that no other test uses meanwhile. */
export async function serviceUnderTest<C extends Contract>(
  contract: C,
  definition: ServiceDefinition,
  { clock = machineClock, peers: callers = {} }: Options = {},
): Promise<ServiceUnderTest<C>> {
  const { database, giveBack } = await lendDatabase(definition.store);
  const log = createLog(definition.name, 'silent');
  const peers = linkedPeers(callers, definition.name);
  const call: CallService = entryTo({
    name: definition.name,
    procedures: definition.procedures,
    database,
    peers,
    authenticate: authenticator(definition.name, (own) => call(own)),
    clock,
    log,
    checkAnswers: true,
    turns: turnsOfDatabase(),
    committed: () => commits.wake(),
  });
  const commits = listenToCommits(database.pool, log, database.ownConnection);
  const workerContext = { database, commits, clock, log, peers };
  const workers = await Promise.all(definition.workers.map((work) => work(workerContext)));
  const handle = (subject: string, received: object) =>
    emFor(database.orm, system).transactional(async (em) => {
      const handlers = definition.subscriptions.filter((one) => subjectOf(one.event) === subject);
      for (const { handle } of handlers) await handle({ em, events: [received as never] });
      return handlers.length > 0;
    });
  const as = (actor: Actor) => clientOver(contract, call, { actor });
  return {
    as,
    asSystem: clientOver(contract, asItsCaller(definition, call), undefined),
    call,
    published: () => publishedBy(database),
    deliver: async (event, data, at = clock(), aggregateversion = 1) => {
      const origin = { actor: 'system', requestid: 'delivered', time: at.toISOString(), aggregateversion };
      if (!(await handle(subjectOf(event), { ...origin, data })))
        throw new Error(`Nothing subscribes to ${event.name}.`);
    },
    async receive(event) {
      await handle(event.type, event);
    },
    database,
    workerContext,
    rows: (sql, values = []) => database.query(sql, values),
    async close() {
      await Promise.all([...workers.map((worker) => worker.stop()), commits.stop()]);
      await giveBack();
    },
  };
}

async function publishedBy(database: Database): Promise<PublishedEvent[]> {
  const rows = await database.query('select payload from outbox order by id', []);
  return rows.map(({ payload }) => payload as PublishedEvent);
}

const asItsCaller =
  ({ procedures }: ServiceDefinition, call: CallService): CallService =>
  (request) => {
    const operation = procedures.get(request.procedure)?.operation;
    const caller = operation?.web ? gateway.caller : operation?.callers?.[0];
    return call({ ...request, credential: { actor: { system: true, ...(caller && { caller }) } } });
  };
