import { type Actor, isUser } from '@crm/auth';
import type { Call, Credential } from '@crm/client';
import { type Database, emFor } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from './clock.ts';
import type { Context } from './context.ts';
import type { Procedure } from './implement.ts';
import type { Logger } from './log.ts';
import type { Peers } from './peers.ts';

export interface Runtime {
  readonly procedures: ReadonlyMap<string, Procedure>;
  readonly database: Database;
  readonly peers: Peers;
  readonly authenticate: (credential: Credential, requestId: string) => Promise<Actor>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Validate each response against the contract. For tests: the database already guarantees the types. */
  readonly checkAnswers: boolean;
}

/** A call with its procedure, its actor and its parsed input. */
export interface Request extends Omit<Call, 'procedure'> {
  readonly procedure: Procedure;
  readonly actor: Actor;
}

/** The context before, after and without a transaction. */
export function contextOutside(runtime: Runtime, request: Request): Context {
  const { orm, query } = runtime.database;
  let em: EntityManager | undefined;
  return contextOf(runtime, request, {
    // Most reads never use an entity, and a fork is not free.
    get em() {
      em ??= emFor(orm, request.actor);
      return em;
    },
    query,
    peers: runtime.peers,
  });
}

export function contextOf(
  runtime: Runtime,
  { actor, credential, requestId }: Request,
  data: Pick<Context, 'em' | 'query' | 'peers'>,
): Context {
  const now = runtime.clock();
  return Object.defineProperties(data, {
    actor: { value: actor },
    credential: { value: credential },
    user: {
      get: () => {
        if (isUser(actor)) return actor;
        throw new Error('The system does not act for a user.');
      },
    },
    now: { value: () => now },
    log: { value: runtime.log },
    requestId: { value: requestId },
  }) as Context;
}
