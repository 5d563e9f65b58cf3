import type { durations } from '@crm/telemetry';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import type { Arrived, Handled } from './handle-together.ts';
import type { Subscription } from './subscription.ts';
import type { Turns } from './turns.ts';

/** The options of a consumer with defaults, and the signal that stops it. */
export interface ConsumerContext {
  /** The name of the durable consumers and of the rows in the inbox. */
  readonly service: string;
  readonly subscriptions: readonly Subscription[];
  /** A fresh entity manager that acts as the system. */
  readonly openEm: () => EntityManager;
  readonly broker: Broker;
  readonly log: Logger;
  readonly onHandled: () => void;
  /** The delays after each failure; the last is repeated. */
  readonly backoffMs: readonly number[];
  readonly maxFailures: number;
  readonly ackWaitMs: number;
  readonly maxAckPending: number;
  /** The maximum number of messages, and thus transactions, in progress per publisher. */
  readonly concurrency: number;
  /** Handles an event together with others that arrive now, which all have to be joinable. */
  readonly join: (arrived: Arrived) => Promise<Handled>;
  /** Shared by all publishers, because a message that ends the process ends the work on the others'. */
  readonly turns: Turns;
  readonly measure: ReturnType<typeof durations<'messaging.process.duration'>>;
  readonly stopping: AbortSignal;
}
