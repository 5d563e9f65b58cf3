import { batched } from '@crm/client';
import { durations } from '@crm/telemetry';
import type { ConsumerOptions } from './consumer-context.ts';
import { pruneFailures } from './failures.ts';
import { type Arrived, handleTogether } from './handle-together.ts';
import { pull } from './pull.ts';
import { sharedOrExclusive } from './shared-or-exclusive.ts';
import { publishersOf } from './subscription.ts';
import { waitingMessages } from './waiting-messages.ts';

interface Consumer {
  /** Stops fetching messages, and returns when those in progress are settled. */
  stop(): Promise<void>;
}

const defaults = {
  backoffMs: [1_000, 5_000, 30_000, 120_000, 600_000],
  maxFailures: 6,
  ackWaitMs: 30_000,
  maxAckPending: 500,
  concurrency: 4,
  onHandled: () => undefined,
};

/** The interval at which expired rows are deleted. */
const pruneEveryMs = 60 * 60_000;

/** Events that come one after the other within this time are handled together, if they can be. */
const everyMs = 20;

/**
 * Consumes the events of all subscriptions. Starts even while the broker is unavailable. A subscription that is added in a
 * later release also receives what the broker still has from before.
 */
export function startConsumer(options: ConsumerOptions): Consumer {
  const stopping = new AbortController();
  const measure = durations('messaging.process.duration');
  const join = batched((arrived: readonly Arrived[]) => handleTogether(options, arrived), { everyMs });
  const access = sharedOrExclusive();
  const waiting = waitingMessages(options.log);
  const context = { ...defaults, ...options, join, access, waiting, measure, stopping: stopping.signal };
  const pulling = publishersOf(options.subscriptions).map((publisher) => pull(context, publisher));
  const pruning = setInterval(
    () =>
      pruneFailures(options.openEm()).catch((error) =>
        options.log.error({ err: error }, 'failures cannot be pruned'),
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
