import type { durations } from '@crm/telemetry';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import type { Arrived, Handled } from './handle-together.ts';
import type { SharedOrExclusive } from './shared-or-exclusive.ts';
import type { Subscription } from './subscription.ts';
import type { WaitingMessages } from './waiting-messages.ts';

export interface ConsumerOptions {
  /** The service that consumes: the name of its durable consumers and of its rows in the inbox. Its instances share the work. */
  readonly service: string;
  readonly subscriptions: readonly Subscription[];
  /** A new entity manager that acts as the system. */
  readonly openEm: () => EntityManager;
  readonly broker: Broker;
  readonly log: Logger;
  /** Called when the transaction of a handler has committed. */
  readonly onHandled?: () => void;
  /** The delays after each failure of a message; the last is repeated. */
  readonly backoffMs?: readonly number[];
  /** The number of failures after which a message becomes a dead letter. */
  readonly maxFailures?: number;
  readonly ackWaitMs?: number;
  readonly maxAckPending?: number;
  /** The maximum number of messages, and thus transactions, in progress per publisher. */
  readonly concurrency?: number;
}

/** The options of a consumer with defaults, and the signal that stops it. */
export interface ConsumerContext extends Required<ConsumerOptions> {
  /** Handles an event together with others that arrive at the same time; all of them have to be joinable. */
  readonly join: (arrived: Arrived) => Promise<Handled>;
  /** Shared by all publishers, because a message that ends the process also ends the work on other publishers' messages. */
  readonly access: SharedOrExclusive;
  readonly waiting: WaitingMessages;
  readonly measure: ReturnType<typeof durations<'messaging.process.duration'>>;
  readonly stopping: AbortSignal;
}
