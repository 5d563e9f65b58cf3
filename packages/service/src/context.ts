import type { Actor, User } from '@crm/auth';
import type { Credential } from '@crm/client';
import type { Query } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';
import type { Peers } from './peers.ts';

/** The context of a handler. In a mutation, `em` and `query` use its transaction. */
export interface Context {
  readonly actor: Actor;
  /** The credential that the caller presented. Identity exchanges it when another service is called on the caller's behalf. */
  readonly credential: Credential;
  /** The actor as a user. Throws for the system, which may call only operations that are declared for it. */
  readonly user: User;
  readonly em: EntityManager;
  readonly query: Query;
  /** The time of the request, the same for everything that it writes. */
  readonly now: Clock;
  readonly log: Logger;
  /** The other services, which cannot be called inside a transaction. */
  readonly peers: Peers;
  readonly requestId: string;
  /** Compares the record with the If-Match of the request, if it has one. Called when a record is locked for a change. */
  readonly checkLocked?: ((id: number) => Promise<void>) | undefined;
  /** The time after which nobody is waiting for the response; passed on to other services. */
  readonly deadline?: number | undefined;
}
