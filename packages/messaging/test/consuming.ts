import type { CloudEvent } from '@crm/events';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import type { Broker } from '../src/broker.ts';
import { listenToCommits } from '../src/commits.ts';
import { startConsumer } from '../src/consumer.ts';
import type { ConsumerOptions } from '../src/consumer-context.ts';
import { type RelayOptions, startRelay } from '../src/relay.ts';
import { streamOf } from '../src/stream-name.ts';
import { on, type Subscription } from '../src/subscription.ts';
import { eventually, log, renamedOf, type TestService } from './rig.ts';

/** Starts the relay of a publisher until the test ends. */
export function relay(
  publisher: TestService,
  broker: Broker,
  { pool = publisher.pool, ...sizes }: Partial<Pick<RelayOptions, 'pool' | 'batch' | 'portion'>> = {},
) {
  const commits = listenToCommits(pool, log, () => new Client(pool.options));
  const started = startRelay({ ...publisher, pool, broker, commits, log, ...sizes });
  onTestFinished(async () => {
    await started.stop();
    await commits.stop();
  });
  return started;
}

/** Starts an instance of a consumer until the test ends. */
export function consume(
  { orm, service }: TestService,
  broker: Broker,
  subscriptions: Subscription[],
  options: Partial<ConsumerOptions> = {},
) {
  const openEm = () => orm.em.fork();
  const started = startConsumer({ service, openEm, broker, log, subscriptions, ...options });
  onTestFinished(() => started.stop());
  return started;
}

/** Inserts a row for each effect, so that a duplicate effect would be visible. */
export const countsRenamed = (
  publisher: Pick<TestService, 'service'>,
  first: (event: CloudEvent) => Promise<void> = async () => {},
) =>
  on(renamedOf(publisher.service), 'counts it', async ({ em, event }) => {
    await first(event);
    await em.execute('insert into effects (event_id, name) values (?, ?)', [event.id, event.data.name]);
  });

/** Keeps a copy of the latest name, which a late event does not change. */
export const copiesRenamed = (publisher: TestService) =>
  on(renamedOf(publisher.service), 'copies the name', async ({ em, event }) => {
    await em.execute(
      `insert into copies (subject, name, version) values (?, ?, ?)
       on conflict (subject) do update set name = excluded.name, version = excluded.version
       where excluded.version > copies.version`,
      [event.subject, event.data.name, event.aggregateversion],
    );
  });

/** What the broker knows of a consumer; it fails while there is no such consumer. */
export const consumerOf = (broker: Broker, publisher: TestService, consumer: TestService) =>
  broker.session().jsm.consumers.info(streamOf(publisher.service), consumer.service);

/** Waits until the consumer has answered everything that the publisher has sent. */
export const allAnswered = (broker: Broker, publisher: TestService, consumer: TestService) =>
  eventually(
    () => consumerOf(broker, publisher, consumer),
    ({ num_pending, num_ack_pending }) => num_pending + num_ack_pending === 0,
  );
