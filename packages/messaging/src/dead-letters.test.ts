import { headers } from '@nats-io/transport-node';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { consume, countsRenamed, relay } from '../test/consuming.ts';
import { connectedBroker, createService, effects, eventually, rename, stored } from '../test/rig.ts';
import { listDeadLetters, redriveDeadLetter, showDeadLetter } from './dead-letters.ts';
import { ensureStream, streamOf } from './stream.ts';

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
    await eventually(
      () => effects(consumer),
      (all) => all.length === 1,
    );

    const filter = { service: consumer.service };
    const [poison, other] = await eventually(
      () => listDeadLetters(broker, filter),
      (all) => all.length === 2,
    );
    expect(poison).toMatchObject({
      consumer: consumer.service,
      subject,
      deliveries: 1,
      headers: { Trace: ['one', 'two'], 'Nats-Msg-Id': ['poison'] },
      reason: expect.stringContaining('not JSON'),
    });
    expect([...(poison?.data ?? [])]).toEqual([...bytes]);
    expect(other?.reason).toContain('not an event');
    expect(await showDeadLetter(broker, other?.seq ?? 0)).toEqual(other);
    expect(await listDeadLetters(broker, { ...filter, after: poison?.seq ?? 0 })).toEqual([other]);
  });

  it('get a message whose handler always fails, after every step of the backoff', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const tries: number[] = [];
    const fails = countsRenamed(publisher, async (event) => {
      if (event.subject !== 'contact/1') return;
      tries.push(performance.now());
      throw new Error('It cannot be\ndone.');
    });
    consume(consumer, broker, [fails], { backoffMs: [100, 200, 400], maxFailures: 5 });
    relay(publisher, broker);
    await rename(publisher, { id: 1, name: 'bad' });
    await rename(publisher, { id: 2, name: 'good' });

    const filter = { service: consumer.service };
    const [letter] = await eventually(
      () => listDeadLetters(broker, filter),
      (all) => all.length === 1,
    );
    expect(letter).toMatchObject({ deliveries: 5, reason: 'Error: It cannot be\ndone.' });
    expect(JSON.parse(Buffer.from(letter?.data ?? []).toString())).toEqual(
      JSON.parse((await stored(broker, publisher.service))[0] ?? ''),
    );
    const waits = tries.slice(1).map((time, index) => time - (tries[index] ?? 0));
    expect(waits).toHaveLength(4);
    for (const [index, min] of [100, 200, 400, 400].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(min - 5);
    }
    expect(await effects(consumer)).toEqual(['good']);
  });

  it('are redriven only to the consumer that failed, and again when they fail again', async () => {
    const [publisher, consumer, bystander] = [
      await createService('publisher'),
      await createService('consumer'),
      await createService('bystander'),
    ];
    const broker = await connectedBroker();
    let broken = true;
    let receivedByBystander = 0;
    const failsAtFirst = countsRenamed(publisher, async () => {
      if (broken) throw new Error('Not yet.');
    });
    const counting = countsRenamed(publisher, async () => {
      receivedByBystander++;
    });
    consume(consumer, broker, [failsAtFirst], { maxFailures: 1 });
    consume(bystander, broker, [counting]);
    relay(publisher, broker);
    await rename(publisher);

    const letters = () => listDeadLetters(broker, { service: consumer.service });
    const [first] = await eventually(letters, (all) => all.length === 1);
    await redriveDeadLetter(broker, first?.seq ?? 0);
    const [second] = await eventually(
      letters,
      ([letter]) => letter !== undefined && letter.seq !== first?.seq,
    );
    expect(second).toMatchObject({ subject: first?.subject, data: first?.data });

    broken = false;
    await redriveDeadLetter(broker, second?.seq ?? 0);
    await eventually(
      () => effects(consumer),
      (all) => all.length === 1,
    );
    expect(await letters()).toEqual([]);
    expect(receivedByBystander).toBe(1);
    const { delivered } = await broker
      .session()
      .jsm.consumers.info(streamOf(publisher.service), bystander.service);
    expect(delivered.consumer_seq).toBe(1);
    await expect(redriveDeadLetter(broker, second?.seq ?? 0)).rejects.toThrow('does not exist');
  });

  it('are stored before the delivery of the message ends, which else comes again', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const { js, jsm } = broker.session();
    const stream = streamOf(publisher.service);
    const subject = `crm.${publisher.service}.contact.renamed`;
    await jsm.streams.add({ name: stream, subjects: [`crm.${publisher.service}.>`] });
    // As large as the broker takes, so that there is no room for what a dead letter adds.
    await js.publish(subject, new Uint8Array(1_048_576));
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const log = pino(
      {},
      { write: (line) => line.includes('a dead letter could not be stored') && resolve() },
    );

    const burying = consume(consumer, broker, [countsRenamed(publisher)], { log, ackWaitMs: 500 });
    await refused;
    await burying.stop();
    const durable = await js.consumers.get(stream, consumer.service);
    const again = await durable.next({ expires: 2_000 });
    expect(again?.info).toMatchObject({ streamSequence: 1, deliveryCount: 2 });
  });

  it('stay when they cannot be redriven', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    await ensureStream(broker, publisher.service);
    await broker.session().js.publish(`crm.${publisher.service}.contact.renamed`, 'poison');
    const failing = consume(consumer, broker, [countsRenamed(publisher)]);
    const letters = () => listDeadLetters(broker, { service: consumer.service });
    const [letter] = await eventually(letters, (all) => all.length === 1);
    await failing.stop();

    await broker.session().jsm.streams.delete(streamOf(publisher.service));
    await expect(redriveDeadLetter(broker, letter?.seq ?? 0)).rejects.toThrow();
    expect(await letters()).toEqual([letter]);
  });

  it('are distinguished from those of a stream of the same name that was lost', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const { js, jsm } = broker.session();
    for (const letters of [1, 2]) {
      await ensureStream(broker, publisher.service);
      await js.publish(`crm.${publisher.service}.contact.renamed`, 'poison');
      const failing = consume(consumer, broker, [countsRenamed(publisher)]);
      await eventually(
        () => listDeadLetters(broker, { service: consumer.service }),
        (all) => all.length === letters,
      );
      await failing.stop();
      await jsm.streams.delete(streamOf(publisher.service));
    }
  });
});
