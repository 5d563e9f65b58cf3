import { headers } from '@nats-io/transport-node';
import { describe, expect, inject, it } from 'vitest';
import { consume, countsRenamed, relay } from '../test/consuming.ts';
import { brokerAt, createService, effects, eventually, rename, stored } from '../test/rig.ts';
import { listDeadLetters, redriveDeadLetter, showDeadLetter } from './dead-letters.ts';
import { ensureStream, streamOf } from './stream.ts';

describe('dead letters', () => {
  it('receive poison at once and in full, while other messages are handled', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(inject('natsUrl'));
    await broker.ready(5_000);
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

  it('receive a message whose handler always fails, after every step of the backoff', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(inject('natsUrl'));
    await broker.ready(5_000);
    const tries: number[] = [];
    const fails = countsRenamed(publisher, async (event) => {
      if (event.subject !== 'contact/1') return;
      tries.push(performance.now());
      throw new Error('It cannot be\ndone.');
    });
    consume(consumer, broker, [fails], { backoffMs: [100, 200, 400], maxDeliver: 5 });
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
    const broker = brokerAt(inject('natsUrl'));
    await broker.ready(5_000);
    let broken = true;
    let receivedByBystander = 0;
    const failsAtFirst = countsRenamed(publisher, async () => {
      if (broken) throw new Error('Not yet.');
    });
    const counting = countsRenamed(publisher, async () => {
      receivedByBystander++;
    });
    consume(consumer, broker, [failsAtFirst], { maxDeliver: 1 });
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

  it('receive a message that was delivered too often without a response, as when its handler crashes the process', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(inject('natsUrl'));
    await broker.ready(5_000);
    let tries = 0;
    const counting = countsRenamed(publisher, async () => {
      tries++;
    });
    const crashing = consume(consumer, broker, [counting], { ackWaitMs: 300 });
    relay(publisher, broker);
    const consumers = async () => broker.session().jsm.consumers.list(streamOf(publisher.service)).next();
    await eventually(
      () => consumers().catch(() => []),
      (all) => all.length === 1,
    );
    await crashing.stop();
    await rename(publisher);
    const durable = await broker.session().js.consumers.get(streamOf(publisher.service), consumer.service);
    for (const _ of [1, 2]) expect(await durable.next({ expires: 3_000 })).not.toBeNull();

    consume(consumer, broker, [counting], { ackWaitMs: 300, maxDeliver: 2 });
    const filter = { service: consumer.service };
    const [letter] = await eventually(
      () => listDeadLetters(broker, filter),
      (all) => all.length === 1,
    );
    expect(letter?.reason).toContain('3 times without a response');
    expect(tries).toBe(0);
  });
});
