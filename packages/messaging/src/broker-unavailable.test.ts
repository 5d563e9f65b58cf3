import { defineEvent } from '@crm/events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { consume, copiesRenamed, countsRenamed, relay } from '../test/consuming.ts';
import { ownBroker } from '../test/own-broker.ts';
import {
  allSent,
  brokerAt,
  copies,
  createService,
  effects,
  eventually,
  lostAt,
  rename,
  stored,
  untilEffects,
  waiting,
} from '../test/rig.ts';
import { BrokerUnavailable } from './broker.ts';
import { clearCrashPoints, setCrashPoint } from './crash-point.ts';
import { sendOutbox } from './send-outbox.ts';
import { ensureStream } from './stream.ts';
import { streamOf } from './stream-name.ts';
import { on } from './subscription.ts';

describe('while the broker is unavailable', () => {
  it('events wait, at the start and later, and then arrive once each', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const server = await ownBroker();
    const broker = brokerAt(server.url);
    consume(consumer, broker, [countsRenamed(publisher)]);
    const sending = relay(publisher, broker);
    const triedInVain = async () =>
      expect((await sendOutbox({ ...publisher, broker, batch: 500 }))?.failure).toBeInstanceOf(
        BrokerUnavailable,
      );
    await rename(publisher, { id: 1, name: 'a' });
    await triedInVain();
    expect(await sending.lag()).toEqual({ waiting: 1, oldestSeconds: expect.any(Number), lostAt: null });

    await server.start();
    await untilEffects(consumer, 1);

    await server.stop();
    for (const [index, name] of ['b', 'c', 'd'].entries()) await rename(publisher, { id: 2 + index, name });
    await triedInVain();
    expect(await waiting(publisher)).toBe(3);
    await server.start();
    await untilEffects(consumer, 4);
    expect(await effects(consumer)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('events are published again to a broker that lost its data, before new ones, and take effect once', async () => {
    const [publisher, consumer, late] = [
      await createService('publisher'),
      await createService('consumer'),
      await createService('late'),
    ];
    const server = await ownBroker();
    await server.start();
    const broker = brokerAt(server.url);
    await broker.ready(60_000);
    consume(consumer, broker, [countsRenamed(publisher)]);
    relay(publisher, broker);
    // Without consumers, only the relay of a service creates its stream.
    const unconsumed = await createService('unconsumed');
    relay(unconsumed, broker);
    await rename(unconsumed);
    for (const version of [1, 2, 3]) await rename(publisher, { version, name: `n${version}` });
    await untilEffects(consumer, 3);

    await allSent(unconsumed);
    await server.loseData();
    await rename(publisher, { version: 4, name: 'n4' });
    await server.start();
    await untilEffects(consumer, 4);
    await allSent(publisher);
    await allSent(unconsumed);
    const names = (await stored(broker, publisher.service)).map((text) => JSON.parse(text).data.name);
    expect(names).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect(await stored(broker, unconsumed.service)).toHaveLength(1);
    expect(await lostAt(publisher)).toBeTruthy();

    consume(late, broker, [copiesRenamed(publisher), countsRenamed(publisher)]);
    await untilEffects(late, 4);
    expect(await copies(late)).toEqual({ 'contact/1': 'n4' });
    expect(await effects(consumer)).toEqual(['n1', 'n2', 'n3', 'n4']);
  });

  it('a broker that has not lost anything gets no event again', async () => {
    const publisher = await createService('publisher');
    const server = await ownBroker();
    await server.start();
    const broker = brokerAt(server.url);
    relay(publisher, broker);
    await rename(publisher);
    await allSent(publisher);
    const { rows: before } = await publisher.pool.query('select published_at from outbox');
    await server.stop();
    await server.start();
    await rename(publisher, { version: 2 });
    await allSent(publisher);
    const { rows: after } = await publisher.pool.query('select published_at from outbox order by id limit 1');
    expect(after).toEqual(before);
    expect(await lostAt(publisher)).toBeNull();
  });

  it('events are published again to a broker that was put back to an earlier state', async () => {
    const publisher = await createService('publisher');
    const server = await ownBroker();
    await server.start();
    const broker = brokerAt(server.url);
    relay(publisher, broker);
    await rename(publisher);
    await allSent(publisher);
    await server.stop();
    await publisher.pool.query('update published_streams set last_seq = 7');
    await server.start();
    await eventually(() => lostAt(publisher), Boolean);
    await allSent(publisher);
  });

  it('an answer to a message of the lost broker is none to the new message of the same number', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const server = await ownBroker();
    await server.start();
    const broker = brokerAt(server.url);
    await broker.ready(60_000);
    const gates = { old: Promise.withResolvers<void>(), new: Promise.withResolvers<void>() };
    const begun: string[] = [];
    const held = countsRenamed(publisher, ({ data }) => {
      const { name } = data as { name: keyof typeof gates };
      begun.push(name);
      return gates[name].promise;
    });
    consume(consumer, broker, [held]);
    onTestFinished(() => gates.new.resolve());
    relay(publisher, broker);
    await rename(publisher, { id: 1, name: 'old' });
    await eventually(
      () => begun.length,
      (n) => n === 1,
    );
    await server.loseData();
    // Nor is it published again.
    await publisher.pool.query('delete from outbox');
    await server.start();
    await rename(publisher, { id: 2, name: 'new' });
    await eventually(
      () => begun.length,
      (n) => n === 2,
    );

    const { promise: committed, resolve } = Promise.withResolvers<void>();
    onTestFinished(clearCrashPoints);
    setCrashPoint('consumer.committed', resolve);
    gates.old.resolve();
    await committed;
    const { jsm } = broker.session();
    const { num_ack_pending } = await jsm.consumers.info(streamOf(publisher.service), consumer.service);
    expect(num_ack_pending).toBe(1);
  });

  it('an older instance that comes back leaves to newer ones what only they subscribe to', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const server = await ownBroker();
    await server.start();
    const broker = brokerAt(server.url);
    await broker.ready(60_000);
    const removed = defineEvent(
      `${publisher.service}.contact.removed`,
      'A contact was removed',
      z.object({}),
    );
    const subjects = async () =>
      (await broker.session().jsm.consumers.info(streamOf(publisher.service), consumer.service)).config
        .filter_subjects;
    await ensureStream(broker, publisher.service);
    consume(consumer, broker, [countsRenamed(publisher)]);
    await eventually(
      () => subjects().catch(() => []),
      (all) => all?.length === 2,
    );
    const newer = consume(consumer, broker, [
      countsRenamed(publisher),
      on(removed, 'does nothing', async () => {}),
    ]);
    await eventually(subjects, (all) => all?.length === 3);
    await newer.stop();

    await server.stop();
    relay(publisher, broker);
    await rename(publisher);
    await server.start();
    await untilEffects(consumer, 1);
    expect(await subjects()).toHaveLength(3);
  });

  it('a service stops without waiting for it', async () => {
    const server = await ownBroker();
    const broker = brokerAt(server.url);
    await expect(broker.ready(100)).rejects.toThrow('did not respond within 100 ms');
    await broker.close();
  });
});
