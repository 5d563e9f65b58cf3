import { randomUUID } from 'node:crypto';
import { headers } from '@nats-io/transport-node';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { allAnswered, consume, countsRenamed, relay } from '../test/consuming.ts';
import {
  allSent,
  connectedBroker,
  createService,
  deadLetters,
  effects,
  eventually,
  rename,
  renamedOf,
  stored,
  type TestService,
  untilEffects,
} from '../test/rig.ts';
import { discardDeadLetter, redriveDeadLetter } from './dead-letters.ts';
import { redeliver } from './redeliver.ts';
import { ensureStream } from './stream.ts';
import { streamOf } from './stream-name.ts';
import { onAll, type Subscription } from './subscription.ts';

const lettersOf = (consumer: TestService, count: number) =>
  eventually(
    () => deadLetters(consumer),
    (all) => all.length === count,
  );

const redrive = ({ orm, service }: TestService, subscriptions: Subscription[], id = 0) =>
  orm.em.fork().transactional((em) => redriveDeadLetter(em, service, subscriptions, id));

const handled = async ({ pool }: TestService) =>
  (await pool.query<{ event_id: string }>('select event_id from inbox')).rows.map(({ event_id }) => event_id);

/** A publisher, a consumer, and the dead letter of an event that the consumer could not handle at first. */
async function withLetter() {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const broker = await connectedBroker();
  const handler = { isBroken: true };
  const counts = countsRenamed(publisher, async () => {
    if (handler.isBroken) throw new Error('It cannot be\ndone.');
  });
  // The last one fails, so that there is something to undo.
  const subscriptions = [countsRenamed(publisher), counts];
  relay(publisher, broker);
  await rename(publisher);
  await allSent(publisher);
  const consuming = consume(consumer, broker, subscriptions, { maxFailures: 1 });
  const [letter] = await lettersOf(consumer, 1);
  return { publisher, consumer, broker, handler, subscriptions, consuming, letter };
}

describe('dead letters', () => {
  it('get poison at once and whole, while other messages go on', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    await ensureStream(broker, publisher.service);
    const subject = `crm.${publisher.service}.contact.renamed`;
    const bytes = Uint8Array.from([0xff, 0x00, 0x7b, 0x0a]);
    const marked = headers();
    marked.append('Trace', 'one');
    marked.append('Trace', 'two');
    await broker.session().js.publish(subject, bytes, { headers: marked, msgID: 'poison' });
    await broker.session().js.publish(subject, '{"some":"json"}');

    consume(consumer, broker, [countsRenamed(publisher)]);
    relay(publisher, broker);
    await rename(publisher);
    await untilEffects(consumer, 1);
    const [poison, other] = await lettersOf(consumer, 2);
    expect(poison).toMatchObject({
      event_id: null,
      subject,
      failures: 1,
      headers: { Trace: ['one', 'two'], 'Nats-Msg-Id': ['poison'] },
      reason: expect.stringContaining('not JSON'),
    });
    expect([...(poison?.data ?? [])]).toEqual([...bytes]);
    expect(other?.reason).toContain('not an event');
    const again = await redrive(consumer, [countsRenamed(publisher)], poison?.id);
    expect(again).toMatchObject({ isHandled: false, reason: expect.stringContaining('not JSON') });
    expect(await deadLetters(consumer)).toMatchObject([{ failures: 2 }, { failures: 1 }]);
  });

  it('get a message whose handler always fails, after every step of the backoff', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const tries: number[] = [];
    const fails = countsRenamed(publisher, async (event) => {
      if (event.subject !== 'contact/1') return;
      tries.push(performance.now());
      throw new Error('It cannot be\0done.');
    });
    consume(consumer, broker, [fails], { backoffMs: [100, 200, 400], maxFailures: 5 });
    relay(publisher, broker);
    await rename(publisher, { id: 1, name: 'bad' });
    await rename(publisher, { id: 2, name: 'good' });

    const [letter] = await lettersOf(consumer, 1);
    expect(letter).toMatchObject({ failures: 5, reason: 'Error: It cannot be\u2400done.' });
    const event = JSON.parse((await stored(broker, publisher.service))[0] ?? '');
    expect(JSON.parse(String(letter?.data))).toEqual(event);
    expect(letter?.event_id).toBe(event.id);
    const waits = tries.slice(1).map((time, index) => time - (tries[index] ?? 0));
    expect(waits).toHaveLength(4);
    for (const [index, min] of [100, 200, 400, 400].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(min - 5);
    }
    expect(await effects(consumer)).toEqual(['good']);
  });

  it('outlast the store of the broker, and are redriven without it', async () => {
    const { publisher, consumer, broker, handler, subscriptions, consuming, letter } = await withLetter();
    await consuming.stop();
    await broker.session().jsm.streams.delete(streamOf(publisher.service));
    expect(await redrive(consumer, subscriptions, letter?.id)).toEqual({
      isHandled: false,
      reason: 'Error: It cannot be\ndone.',
    });
    expect(await deadLetters(consumer)).toMatchObject([{ id: letter?.id, failures: 2 }]);
    expect([await effects(consumer), await handled(consumer)]).toEqual([[], []]);

    handler.isBroken = false;
    expect(await redrive(consumer, subscriptions, letter?.id)).toEqual({ isHandled: true, reason: null });
    expect(await effects(consumer)).toEqual(['Ada', 'Ada']);
    expect(await deadLetters(consumer)).toEqual([]);
    expect(await handled(consumer)).toEqual([letter?.event_id]);
    expect(await redrive(consumer, subscriptions, letter?.id)).toBeUndefined();
  });

  it('are redriven to a handler that takes events together', async () => {
    const { publisher, consumer, letter } = await withLetter();
    const sizes: number[] = [];
    const handler = onAll(renamedOf(publisher.service), 'counts them', async ({ events }) => {
      sizes.push(events.length);
    });
    const redriven = await redrive(consumer, [handler], letter?.id);
    expect([redriven, sizes]).toEqual([{ isHandled: true, reason: null }, [1]]);
  });

  it('are committed with the last failure before the delivery of the message ends, which else comes again', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const log = pino({}, { write: (line) => line.includes('a message was not acknowledged') && resolve() });
    await consumer.pool.query('alter table dead_letters add constraint none check (false) not valid');
    const fails = countsRenamed(publisher, () => Promise.reject(new Error('Broken.')));
    relay(publisher, broker);
    await rename(publisher);
    await allSent(publisher);
    consume(consumer, broker, [fails], { log, ackWaitMs: 1_000, maxFailures: 1 });
    await refused;
    expect((await consumer.pool.query('select from inbox_failures')).rowCount).toBe(0);
    await consumer.pool.query('alter table dead_letters drop constraint none');
    expect(await lettersOf(consumer, 1)).toMatchObject([{ failures: 1, reason: 'Error: Broken.' }]);
  });

  it('disappear when their event comes again and can be handled', async () => {
    const { consumer, broker, handler, letter } = await withLetter();
    handler.isBroken = false;
    await redeliver(broker, consumer.service, JSON.parse(String(letter?.data)));
    await lettersOf(consumer, 0);
    expect(await effects(consumer)).toEqual(['Ada', 'Ada']);
  });

  it('are one for an event, however often it comes and fails', async () => {
    const { publisher, consumer, broker, letter } = await withLetter();
    const event = JSON.parse(String(letter?.data));
    await redeliver(broker, consumer.service, event);
    await redeliver(broker, consumer.service, { ...event, id: randomUUID() });
    await lettersOf(consumer, 2);
    expect(await stored(broker, publisher.service)).toHaveLength(3);
    await allAnswered(broker, publisher, consumer);
  });

  it('that are discarded are never handled', async () => {
    const { consumer, broker, handler, letter } = await withLetter();
    const discard = () =>
      consumer.orm.em.fork().transactional((em) => discardDeadLetter(em, consumer.service, letter?.id ?? 0));
    await discard();
    await discard();
    expect(await deadLetters(consumer)).toEqual([]);
    handler.isBroken = false;
    const event = JSON.parse(String(letter?.data));
    await redeliver(broker, consumer.service, event);
    await redeliver(broker, consumer.service, { ...event, id: randomUUID() });
    await untilEffects(consumer, 2);
    expect(await handled(consumer)).toHaveLength(2);
  });

  it('are distinguished from those of a stream of the same name that was lost', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const { js, jsm } = broker.session();
    for (const letters of [1, 2]) {
      await ensureStream(broker, publisher.service);
      await js.publish(`crm.${publisher.service}.contact.renamed`, 'poison');
      const failing = consume(consumer, broker, [countsRenamed(publisher)]);
      await lettersOf(consumer, letters);
      await failing.stop();
      await jsm.streams.delete(streamOf(publisher.service));
    }
  });
});
