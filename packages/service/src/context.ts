import type { Actor, User } from '@crm/auth';
import type { Query } from '@crm/data';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from './clock.ts';
import type { Logger } from './log.ts';
import type { Peers } from './peers.ts';

/** What a handler works with. In a mutation, `em` and `query` are inside its one transaction. */
export interface Context {
  readonly actor: Actor;
  /** The actor as a person. Throws for the system, which only operations declared for it ever see. */
  readonly user: User;
  readonly em: EntityManager;
  readonly query: Query;
  /** The moment the request came in: the same for all that it writes. */
  readonly now: Clock;
  readonly log: Logger;
  /** The other services; inside a transaction there are none. */
  readonly peers: Peers;
  readonly requestId: string;
}
