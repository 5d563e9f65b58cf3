import { expect, it } from 'vitest';
import { countsRenamed, relay } from '../test/consuming.ts';
import {
  allSent,
  connectedBroker,
  createService,
  deadLetters,
  effects,
  log,
  rename,
  type TestService,
} from '../test/rig.ts';
import type { Broker } from './broker.ts';
import type { ConsumerContext } from './consumer-context.ts';
import { ensureDurable } from './durable.ts';
import { handleTogether } from './handle-together.ts';
import { readEvent } from './read-event.ts';
import { receive } from './receive.ts';
import { sharedOrExclusive } from './shared-or-exclusive.ts';
import { streamOf } from './stream-name.ts';
import type { Subscription } from './subscription.ts';
import { waitingMessages } from './waiting-messages.ts';

/** What a consumer works with, and the outcomes that it measures. */
function working(consumer: TestService, broker: Broker, subscription: Subscription) {
  const stopping = new AbortController();
  const outcomes: unknown[] = [];
  const handling = { service: consumer.service, openEm: () => consumer.orm.em.fork() };
  const context: ConsumerContext = {
    ...handling,
    subscriptions: [subscription],
    broker,
    log,
    onHandled: () => undefined,
    backoffMs: [1_000],
    maxFailures: 6,
    ackWaitMs: 30_000,
    maxAckPending: 1,
    concurrency: 1,
    join: async (arrived) => (await handleTogether(handling, [arrived]))[0] ?? { is: 'done' },
    access: sharedOrExclusive(),
    waiting: waitingMessages(log),
    measure: (_ms, labels) => outcomes.push(labels['crm.outcome']),
    stopping: stopping.signal,
  };
  return { context, outcomes, stopping };
}

/** Returns how to get the next message of a publisher, which is received then. */
async function messagesOf(publisher: TestService, context: ConsumerContext) {
  await ensureDurable(context, publisher.service, true);
  const session = context.broker.session();
  const durable = await session.js.consumers.get(streamOf(publisher.service), context.service);
  return async () => {
    const message = (await durable.next()) ?? expect.fail('There is no message.');
    return { message, session, reading: readEvent(message, publisher.service, context.subscriptions) };
  };
}

it('a message is measured by its outcome, also while the consumer stops', async () => {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const broker = await connectedBroker();
  relay(publisher, broker);
  await rename(publisher, { id: 1, name: 'handled' });
  await rename(publisher, { id: 2, name: 'left' });
  await allSent(publisher);

  const subscription = countsRenamed(publisher, async () => stopping.abort());
  const { context, outcomes, stopping } = working(consumer, broker, subscription);
  const next = await messagesOf(publisher, context);
  for (let count = 0; count < 2; count++) await receive(context, await next());
  expect(outcomes).toEqual(['handled', 'left']);
  expect(await effects(consumer)).toEqual(['handled']);
});

it('a message that was delivered often has not failed more often because it waits for a locked table', async () => {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const broker = await connectedBroker();
  relay(publisher, broker);
  await rename(publisher);
  await allSent(publisher);

  let attempts = 0;
  const locked = Object.assign(new Error('A table is locked.'), { code: '55P03' });
  const subscription = countsRenamed(publisher, async () => {
    if (++attempts < 3) throw locked;
  });
  const { context, outcomes } = working(consumer, broker, subscription);
  const next = await messagesOf(publisher, context);
  const { message, ...received } = await next();
  const info = { ...message.info, deliveryCount: 20 };
  const repeated = Object.create(message, { info: { value: info } });
  await receive({ ...context, maxFailures: 1 }, { ...received, message: repeated });
  expect([outcomes, attempts, await deadLetters(consumer)]).toEqual([['handled'], 3, []]);
});
