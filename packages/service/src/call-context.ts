import { type Actor, actingName, actorName, isUser, withoutRights } from '@crm/auth';
import { type Call, type Credential, demandTimeLeft, patienceMs } from '@crm/client';
import { type Database, emFor, type Query } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from './clock.ts';
import type { Context } from './context.ts';
import type { FairShare, Turns } from './fair-share.ts';
import type { Logger } from './log.ts';
import type { Peers } from './peers.ts';
import type { Procedure } from './procedure.ts';

/** Whom a credential belongs to. Throws NotAuthenticated. */
export type Authenticate = (credential: Credential, requestId: string, deadline?: number) => Promise<Actor>;

/** What calls of a service need. */
export interface CallRuntime {
  /** Of the service. */
  readonly name: string;
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly database: Database;
  readonly peers: Peers;
  readonly authenticate: Authenticate;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called when a request has committed, even if it wrote no event. */
  readonly committed?: () => void;
  /** Whether to validate each response against the contract. For tests: the database already guarantees the types. */
  readonly checkAnswers: boolean;
  /** Shares the database among callers. */
  readonly turns: FairShare;
}

/** A call that may be made, with its procedure, its actor and its parsed input. */
export interface AdmittedCall extends Omit<Call, 'procedure'> {
  readonly procedure: Procedure;
  readonly actor: Actor;
  /**
   * The time, by `performance.now()`, until which the call may wait for turns of its user. What waits longer is refused,
   * because a caller could not tell it from a service that does not respond.
   */
  readonly waitsUntil: number;
}

/** How long a call may wait for turns: its response must come before its caller loses patience. */
export const longestWaitMs = patienceMs - 1_000;

/** The context before, after and without a transaction. */
export function contextOutside(runtime: CallRuntime, call: AdmittedCall): Context {
  const { orm } = runtime.database;
  let em: EntityManager | undefined;
  return contextOf(runtime, call, {
    // Most reads never use an entity, and a fork is not free.
    get em() {
      em ??= emFor(orm, call.actor);
      return em;
    },
    query: queryFor(runtime, call),
    peers: runtime.peers,
  });
}

function queryFor(runtime: CallRuntime, call: AdmittedCall): Query {
  const { query, read } = runtime.database;
  const { actor, procedure } = call;
  const isRead = isUser(actor) && procedure.operation.kind === 'query';
  const [run, turns] = isRead ? [read, runtime.turns.reads] : [query, runtime.turns.changes];
  return (text, values) => inTurn(turns, call, (leftMs) => run(text, values, leftMs));
}

/**
 * Runs work that needs a connection when it is the user's turn, with the time that is left, unless nobody is waiting for it any
 * longer. A broker who acts for many users has one share, not one for each. The system and visitors have no share: their calls
 * could keep each other from the database.
 */
export function inTurn<Result>(
  turns: Turns,
  { actor, deadline, signal, waitsUntil }: Pick<AdmittedCall, 'actor' | 'deadline' | 'signal' | 'waitsUntil'>,
  work: (leftMs: number | undefined) => Promise<Result>,
): Promise<Result> {
  const inTime = () => work(demandTimeLeft({ deadline, signal }));
  if (!isUser(actor) || actor.id === nobody.id) return inTime();
  return turns(actingName(actor) ?? actorName(actor), inTime, { until: waitsUntil, signal });
}

/** The actor of operations that are open to anyone: it sees no record that belongs to a user. */
export const nobody = withoutRights(0);

export function contextOf(
  runtime: Pick<CallRuntime, 'clock' | 'log'>,
  {
    actor,
    credential,
    requestId,
    deadline,
  }: Pick<AdmittedCall, 'actor' | 'credential' | 'requestId' | 'deadline'>,
  data: Pick<Context, 'em' | 'query' | 'peers' | 'checkLocked'>,
): Context {
  const now = runtime.clock();
  const { query, peers, checkLocked } = data;
  // An object literal costs a tenth of an object made by `Object.defineProperties`.
  return {
    actor,
    credential,
    get user() {
      if (isUser(actor)) return actor;
      throw new Error('The system does not act for a user.');
    },
    get em() {
      return data.em;
    },
    query,
    peers,
    checkLocked,
    now: () => now,
    log: runtime.log,
    requestId,
    deadline,
  };
}
