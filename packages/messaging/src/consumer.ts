import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Broker } from './broker.ts';
import type { Listener } from './listener.ts';
import { pruneEveryMs, pruneInbox } from './prune.ts';
import { pull } from './pull.ts';
import type { Subscription } from './subscription.ts';

export interface ConsumerOptions {
  /** The service that listens. Its instances share the work. */
  readonly service: string;
  readonly subscriptions: readonly Subscription[];
  /** A fresh entity manager that acts as the system. */
  readonly openEm: () => EntityManager;
  readonly broker: Broker;
  readonly log: Logger;
  /** How long to wait after each failure of a message; the last counts for all further ones. */
  readonly backoffMs?: readonly number[];
  /** After so many failures a message is a dead letter. */
  readonly maxDeliver?: number;
  readonly ackWaitMs?: number;
  readonly maxAckPending?: number;
  /** Messages in hand at once, and so at most as many transactions, per publisher. */
  readonly concurrency?: number;
}

export interface Consumer {
  /** Takes no further message, and returns when those in hand are settled. */
  stop(): Promise<void>;
}

const usual = {
  backoffMs: [1_000, 5_000, 30_000, 120_000, 600_000],
  maxDeliver: 6,
  ackWaitMs: 30_000,
  maxAckPending: 500,
  concurrency: 4,
};

/**
 * Listens to everything the subscriptions name. Starts also while the broker is away. A new subscription of
 * an older service hears what is said from then on; the past it must read elsewhere.
 */
export function startConsumer(options: ConsumerOptions): Consumer {
  const stopping = new AbortController();
  const listener: Listener = { ...usual, ...options, stopping: stopping.signal };
  const publishers = new Set(options.subscriptions.map((subscription) => subscription.event.service));
  const pulling = [...publishers].map((publisher) => pull(listener, publisher));
  const pruning = setInterval(
    () =>
      pruneInbox(options.openEm()).catch((error) =>
        options.log.error({ err: error }, 'the inbox cannot be pruned'),
      ),
    pruneEveryMs,
  ).unref();

  return {
    async stop() {
      clearInterval(pruning);
      stopping.abort();
      await Promise.all(pulling);
    },
  };
}
