import { expect, it } from 'vitest';
import { countsRenamed, relay } from '../test/consuming.ts';
import { allSent, connectedBroker, createService, effects, log, rename } from '../test/rig.ts';
import type { ConsumerContext } from './consumer-context.ts';
import { ensureDurable } from './durable.ts';
import { handleTogether } from './handle-together.ts';
import { readEvent } from './read-event.ts';
import { receive } from './receive.ts';
import { sharedOrExclusive } from './shared-or-exclusive.ts';
import { streamOf } from './stream-name.ts';

it('a message is measured by its outcome, also while the consumer stops', async () => {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const broker = await connectedBroker();
  relay(publisher, broker);
  await rename(publisher, { id: 1, name: 'handled' });
  await rename(publisher, { id: 2, name: 'left' });
  await allSent(publisher);

  const stopping = new AbortController();
  const outcomes: unknown[] = [];
  const handling = { service: consumer.service, openEm: () => consumer.orm.em.fork() };
  const context: ConsumerContext = {
    ...handling,
    subscriptions: [countsRenamed(publisher, async () => stopping.abort())],
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
    measure: (_ms, labels) => outcomes.push(labels['crm.outcome']),
    stopping: stopping.signal,
  };
  await ensureDurable(context, publisher.service, true);
  const session = broker.session();
  const durable = await session.js.consumers.get(streamOf(publisher.service), consumer.service);
  for (let count = 0; count < 2; count++) {
    const message = (await durable.next()) ?? expect.fail('There is no message.');
    const reading = readEvent(message, publisher.service, context.subscriptions);
    await receive(context, { message, session, reading });
  }
  expect(outcomes).toEqual(['handled', 'left']);
  expect(await effects(consumer)).toEqual(['handled']);
});
