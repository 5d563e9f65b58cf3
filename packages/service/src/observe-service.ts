import {
  type Broker,
  countDeadLetters,
  publishersOf,
  type Relay,
  type Subscription,
  waitingFor,
} from '@crm/messaging';
import { observed } from '@crm/telemetry';
import type { DatabaseClock } from './database-clock.ts';
import type { FairShare } from './fair-share.ts';
import type { Pools } from './open-pools.ts';

interface Observed {
  readonly name: string;
  readonly pools: Pools;
  readonly turns: Pick<FairShare, 'waiting'>;
  readonly relay: Pick<Relay, 'lag'>;
  readonly broker: Broker;
  readonly subscriptions: readonly Subscription[];
  readonly time: Pick<DatabaseClock, 'skew'>;
}

/** Observes what a service waits for, until the returned function is called. */
export function observeService({
  name,
  pools,
  turns,
  relay,
  broker,
  subscriptions,
  time,
}: Observed): () => void {
  const service = { 'crm.service': name };
  const { pool: ownPool } = pools.background;
  const connections = Object.entries(pools).map(([kind, { pool }]) => ({
    pool,
    waiting: () => pool.waitingCount + (kind === 'requests' ? turns.waiting() : 0),
    of: { ...service, 'db.client.connection.pool.name': kind },
  }));
  const ends = [
    observed('db.client.connection.count', (observe) => {
      for (const { pool, of } of connections) {
        observe(pool.idleCount, { ...of, 'db.client.connection.state': 'idle' });
        observe(pool.totalCount - pool.idleCount, { ...of, 'db.client.connection.state': 'used' });
      }
    }),
    observed('db.client.connection.pending_requests', (observe) => {
      for (const { waiting, of } of connections) observe(waiting(), of);
    }),
    observed('crm.outbox.waiting', async (observe) => observe((await relay.lag()).waiting, service)),
    observed('crm.outbox.age', async (observe) => observe((await relay.lag()).oldestSeconds, service)),
    observed('crm.broker.connected', (observe) => observe(broker.connected() ? 1 : 0, service)),
    observed('crm.consumer.waiting', async (observe) => {
      for (const publisher of publishersOf(subscriptions))
        observe(await waitingFor(broker, publisher, name), { ...service, 'crm.publisher': publisher });
    }),
    observed('crm.dead_letters', async (observe) => observe(await countDeadLetters(ownPool), service)),
    observed('crm.clock.skew', (observe) => observe(time.skew().ms / 1000, service)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/**
 * Observes whether a service is ready. It is not ready until `follow` is called, for example while it waits for its database.
 */
export function observeReadiness(name: string) {
  let isReady = async () => false;
  const stop = observed('crm.ready', async (observe) =>
    observe((await isReady()) ? 1 : 0, { 'crm.service': name }),
  );
  return {
    follow(check: () => Promise<boolean>): void {
      isReady = check;
    },
    stop,
  };
}
