import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import type { Subscription } from './subscription.ts';

/** A service that listens, as the parts of consuming see it. */
export interface Listener {
  /** Names the durable consumers and the rows of the inbox. */
  readonly service: string;
  readonly subscriptions: readonly Subscription[];
  /** A fresh entity manager that acts as the system. */
  readonly openEm: () => EntityManager;
  readonly broker: Broker;
  readonly log: Logger;
  /** How long to wait after each failure; the last counts for all further ones. */
  readonly backoffMs: readonly number[];
  readonly maxDeliver: number;
  readonly ackWaitMs: number;
  readonly maxAckPending: number;
  /** Messages in hand at once, and so at most as many transactions, per publisher. */
  readonly concurrency: number;
  readonly stopping: AbortSignal;
}
