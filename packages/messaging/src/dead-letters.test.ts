import { headers } from '@nats-io/transport-node';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { countsRenamed, listen, relay } from '../test/listening.ts';
import { connectedBroker, effects, eventually, place, rename, stored } from '../test/rig.ts';
import { listDeadLetters, redriveDeadLetter, showDeadLetter } from './dead-letters.ts';
import { ensureStream, streamOf } from './stream.ts';

describe('dead letters', () => {
  it('get poison at once and whole, while other messages go on', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = await connectedBroker();
    await ensureStream(broker, publisher.service);
    const subject = `crm.${publisher.service}.contact.renamed`;
    const bytes = Uint8Array.from([0xff, 0x00, 0x7b, 0x0a]);
    const marked = headers();
    marked.append('Trace', 'one');
    marked.append('Trace', 'two');
    await broker.session().js.publish(subject, bytes, { headers: marked, msgID: 'poison' });
    await broker.session().js.publish(subject, '{"some":"json"}');

    listen(listener, broker, [countsRenamed(publisher)]);
    relay(publisher, broker);
    await rename(publisher);
    await eventually(
      () => effects(listener),
      (all) => all.length === 1,
    );

    const which = { service: listener.service };
    const [poison, other] = await eventually(
      () => listDeadLetters(broker, which),
      (all) => all.length === 2,
    );
    expect(poison).toMatchObject({
      consumer: listener.service,
      subject,
      deliveries: 1,
      headers: { Trace: ['one', 'two'], 'Nats-Msg-Id': ['poison'] },
      reason: expect.stringContaining('not JSON'),
    });
    expect([...(poison?.data ?? [])]).toEqual([...bytes]);
    expect(other?.reason).toContain('not an event');
    expect(await showDeadLetter(broker, other?.seq ?? 0)).toEqual(other);
    expect(await listDeadLetters(broker, { ...which, after: poison?.seq ?? 0 })).toEqual([other]);
  });

  it('get a message whose handler always fails, after every step of the backoff', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = await connectedBroker();
    const tries: number[] = [];
    const fails = countsRenamed(publisher, async (event) => {
      if (event.subject !== 'contact/1') return;
      tries.push(performance.now());
      throw new Error('It cannot be\ndone.');
    });
    listen(listener, broker, [fails], { backoffMs: [100, 200, 400], maxDeliver: 5 });
    relay(publisher, broker);
    await rename(publisher, { id: 1, name: 'bad' });
    await rename(publisher, { id: 2, name: 'good' });

    const which = { service: listener.service };
    const [letter] = await eventually(
      () => listDeadLetters(broker, which),
      (all) => all.length === 1,
    );
    expect(letter).toMatchObject({ deliveries: 5, reason: 'Error: It cannot be\ndone.' });
    expect(JSON.parse(Buffer.from(letter?.data ?? []).toString())).toEqual(
      JSON.parse((await stored(broker, publisher.service))[0] ?? ''),
    );
    const waits = tries.slice(1).map((time, index) => time - (tries[index] ?? 0));
    expect(waits).toHaveLength(4);
    for (const [index, least] of [100, 200, 400, 400].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(least - 5);
    }
    expect(await effects(listener)).toEqual(['good']);
  });

  it('are redriven to the consumer that failed, to no other, and again when they fail again', async () => {
    const [publisher, listener, bystander] = [
      await place('publisher'),
      await place('listener'),
      await place('bystander'),
    ];
    const broker = await connectedBroker();
    let broken = true;
    let heardByBystander = 0;
    const mendable = countsRenamed(publisher, async () => {
      if (broken) throw new Error('Not yet.');
    });
    const counting = countsRenamed(publisher, async () => {
      heardByBystander++;
    });
    listen(listener, broker, [mendable], { maxDeliver: 1 });
    listen(bystander, broker, [counting]);
    relay(publisher, broker);
    await rename(publisher);

    const letters = () => listDeadLetters(broker, { service: listener.service });
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
      () => effects(listener),
      (all) => all.length === 1,
    );
    expect(await letters()).toEqual([]);
    expect(heardByBystander).toBe(1);
    const { delivered } = await broker
      .session()
      .jsm.consumers.info(streamOf(publisher.service), bystander.service);
    expect(delivered.consumer_seq).toBe(1);
    await expect(redriveDeadLetter(broker, second?.seq ?? 0)).rejects.toThrow('no dead letter');
  });

  it('get a message that was delivered so often without an answer, as when its handler ends the process', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = await connectedBroker();
    let tries = 0;
    const counting = countsRenamed(publisher, async () => {
      tries++;
    });
    const dying = listen(listener, broker, [counting], { ackWaitMs: 300 });
    relay(publisher, broker);
    const consumers = async () => broker.session().jsm.consumers.list(streamOf(publisher.service)).next();
    await eventually(
      () => consumers().catch(() => []),
      (all) => all.length === 1,
    );
    await dying.stop();
    await rename(publisher);
    const consumer = await broker.session().js.consumers.get(streamOf(publisher.service), listener.service);
    for (const _ of [1, 2]) expect(await consumer.next({ expires: 3_000 })).not.toBeNull();

    listen(listener, broker, [counting], { ackWaitMs: 300, maxDeliver: 2 });
    const which = { service: listener.service };
    const [letter] = await eventually(
      () => listDeadLetters(broker, which),
      (all) => all.length === 1,
    );
    expect(letter?.reason).toContain('3 times without an answer');
    expect(tries).toBe(0);
  });

  it('are stored before the delivery of the message ends, which else comes again', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = await connectedBroker();
    const { js, jsm } = broker.session();
    const stream = streamOf(publisher.service);
    const subject = `crm.${publisher.service}.contact.renamed`;
    await jsm.streams.add({ name: stream, subjects: [`crm.${publisher.service}.>`] });
    // As large as the broker takes, so that there is no room for what a dead letter adds.
    await js.publish(subject, new Uint8Array(1_048_576));
    const { promise: refused, resolve } = Promise.withResolvers<void>();
    const log = pino({}, { write: (line) => line.includes('a dead letter cannot be written') && resolve() });

    const burying = listen(listener, broker, [countsRenamed(publisher)], { log, ackWaitMs: 500 });
    await refused;
    await burying.stop();
    const consumer = await js.consumers.get(stream, listener.service);
    const again = await consumer.next({ expires: 2_000 });
    expect(again?.info).toMatchObject({ streamSequence: 1, deliveryCount: 2 });
  });

  it('stay when they cannot be redriven', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = await connectedBroker();
    await ensureStream(broker, publisher.service);
    await broker.session().js.publish(`crm.${publisher.service}.contact.renamed`, 'poison');
    const failing = listen(listener, broker, [countsRenamed(publisher)]);
    const letters = () => listDeadLetters(broker, { service: listener.service });
    const [letter] = await eventually(letters, (all) => all.length === 1);
    await failing.stop();

    await broker.session().jsm.streams.delete(streamOf(publisher.service));
    await expect(redriveDeadLetter(broker, letter?.seq ?? 0)).rejects.toThrow();
    expect(await letters()).toEqual([letter]);
  });

  it('are told from those of a stream of the same name that was lost', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = await connectedBroker();
    const { js, jsm } = broker.session();
    for (const letters of [1, 2]) {
      await ensureStream(broker, publisher.service);
      await js.publish(`crm.${publisher.service}.contact.renamed`, 'poison');
      const failing = listen(listener, broker, [countsRenamed(publisher)]);
      await eventually(
        () => listDeadLetters(broker, { service: listener.service }),
        (all) => all.length === letters,
      );
      await failing.stop();
      await jsm.streams.delete(streamOf(publisher.service));
    }
  });
});
