import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allAnswered, consume, consumerOf, copiesRenamed, countsRenamed, relay } from '../test/consuming.ts';
import {
  allSent,
  connectedBroker,
  copies,
  createService,
  effects,
  eventually,
  rename,
  untilEffects,
  waiting,
} from '../test/rig.ts';
import { listBacklogs } from './backlog.ts';
import { clearCrashPoints, setCrashPoint } from './crash-point.ts';
import { keepPartitions } from './keep-partitions.ts';
import { partitionedTables } from './partitioned-tables.ts';
import { streamOf } from './stream-name.ts';

describe('consuming', () => {
  it('has effect once when the answer is lost after the commit and the event comes again', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    let crashes = 0;
    onTestFinished(clearCrashPoints);
    setCrashPoint('consumer.committed', () => {
      crashes++;
      if (crashes <= 2) throw new Error('The process crashes here.');
    });
    consume(consumer, broker, [countsRenamed(publisher)], { ackWaitMs: 500 });
    relay(publisher, broker);
    await rename(publisher);
    await eventually(
      () => crashes,
      (n) => n >= 3,
    );
    expect(await effects(consumer)).toEqual(['Ada']);
    await allAnswered(broker, publisher, consumer);
  });

  it('gets a message once, however long it is handled', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    relay(publisher, broker);
    await rename(publisher);
    await allSent(publisher);
    consume(consumer, broker, [countsRenamed(publisher, () => sleep(7_000))], { ackWaitMs: 6_000 });
    await eventually(
      () => effects(consumer),
      (all) => all.length === 1,
    );
    await allAnswered(broker, publisher, consumer);
    expect((await consumerOf(broker, publisher, consumer)).delivered.consumer_seq).toBe(1);
  });

  it('runs all handlers of an event or none, shares the work between instances, and tells once it has committed', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    let failures = 0;
    const failsOnce = countsRenamed(publisher, async () => {
      failures++;
      if (failures === 1) throw new Error('Not yet.');
    });
    const subscriptions = [countsRenamed(publisher), failsOnce];
    const broker = await connectedBroker();
    let commits = 0;
    const options = { backoffMs: [50], onHandled: () => (commits += 1) };
    consume(consumer, broker, subscriptions, options);
    consume(consumer, await connectedBroker(), subscriptions, options);
    relay(publisher, broker);
    const names = Array.from({ length: 60 }, (_, id) => `n${String(id).padStart(2, '0')}`);
    for (const [id, name] of names.entries()) await rename(publisher, { id, name });
    await eventually(
      () => effects(consumer),
      (all) => all.length >= 120,
    );
    await allAnswered(broker, publisher, consumer);
    expect(await effects(consumer)).toEqual(names.flatMap((name) => [name, name]));
    expect(commits).toBe(names.length);
  });

  it('comes to the latest state in whatever order the events of an aggregate come', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const order = [3, 1, 5, 2, 6, 4];
    for (const version of order) await rename(publisher, { version, name: `name ${version}` });
    for (const version of order.toReversed())
      await rename(publisher, { id: 2, version, name: `name ${version}` });
    let seen = 0;
    const counting = countsRenamed(publisher, async () => {
      seen++;
    });
    consume(consumer, broker, [copiesRenamed(publisher), counting]);
    relay(publisher, broker);
    await untilEffects(consumer, 12);
    expect(seen).toBe(12);
    expect(await copies(consumer)).toEqual({ 'contact/1': 'name 6', 'contact/2': 'name 6' });
  });

  it('works on one event of an aggregate at a time, in their order, while others go ahead', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    relay(publisher, broker);
    for (const version of [1, 2, 3]) await rename(publisher, { version, name: `a${version}` });
    await allSent(publisher);
    await rename(publisher, { id: 2, name: 'b' });
    const begun: string[] = [];
    const watched = countsRenamed(publisher, async ({ data }) => {
      const { name } = data as { name: string };
      begun.push(name);
      if (name !== 'a1') return;
      await eventually(
        () => effects(consumer),
        (all) => all.includes('b'),
      );
    });
    consume(consumer, broker, [watched], { concurrency: 4 });
    await untilEffects(consumer, 4);
    expect(begun).toEqual(['a1', 'b', 'a2', 'a3']);
  });

  it('starts before the publisher does, and goes on when its consumer is removed', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    consume(consumer, broker, [countsRenamed(publisher)]);
    await sleep(300);
    await expect(consumerOf(broker, publisher, consumer)).rejects.toThrow('stream not found');
    relay(publisher, broker);
    await rename(publisher, { name: 'before' });
    await untilEffects(consumer, 1);

    await broker.session().jsm.consumers.delete(streamOf(publisher.service), consumer.service);
    await rename(publisher, { name: 'after' });
    // The new durable consumer receives everything from the beginning, and the inbox detects what was handled.
    await untilEffects(consumer, 2);
    expect(await effects(consumer)).toEqual(['after', 'before']);
  });

  it('holds a message while the database is away, and counts no failure', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    let asked = 0;
    const openEm = () => {
      asked++;
      if (asked === 1) throw new Error('The database is away.');
      return consumer.orm.em.fork();
    };
    consume(consumer, broker, [countsRenamed(publisher)], { openEm, maxFailures: 1 });
    relay(publisher, broker);
    await rename(publisher);
    await untilEffects(consumer, 1);
    expect(asked).toBe(2);
  });

  it('settles what is in hand before it stops, and leaves the rest to others', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    for (let id = 1; id <= 30; id++) await rename(publisher, { id });
    relay(publisher, broker);
    const [oneHand, otherHands] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    onTestFinished(() => otherHands.resolve());
    let begun = 0;
    const slow = countsRenamed(publisher, () => (begun++ === 0 ? oneHand : otherHands).promise);
    const first = consume(consumer, broker, [slow]);
    await eventually(
      () => begun,
      (n) => n === 4,
    );
    let hasStopped = false;
    const stopping = first.stop().then(() => {
      hasStopped = true;
    });
    oneHand.resolve();
    consume(consumer, broker, [countsRenamed(publisher)], { concurrency: 8 });
    await untilEffects(consumer, 27);
    expect(hasStopped).toBe(false);
    otherHands.resolve();
    await stopping;
    expect(begun).toBe(4);
    expect(await effects(consumer)).toHaveLength(30);
    expect(await waiting(consumer)).toBe(0);
  });

  it('that has stopped shows what waits for it, and since when', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    relay(publisher, broker);
    const stopped = consume(consumer, broker, [countsRenamed(publisher)]);
    await rename(publisher);
    await untilEffects(consumer, 1);
    await allAnswered(broker, publisher, consumer);
    expect(await listBacklogs(broker, [publisher.service])).toEqual([]);
    await stopped.stop();
    // Events that it does not subscribe to, of which the last comes between its own.
    const { service } = publisher;
    const other = { stream: streamOf(service), subject: `crm.${service}.contact.other`, text: '{}' };
    await broker.session().publish({ ...other, id: 'one' });
    await rename(publisher, { version: 2 });
    await allSent(publisher);
    const first = await broker.session().jsm.streams.getMessage(streamOf(service), { seq: 3 });
    await broker.session().publish({ ...other, id: 'another' });
    await rename(publisher, { version: 3 });
    await allSent(publisher);
    expect(await listBacklogs(broker, [service])).toEqual([
      { publisher: service, consumer: consumer.service, waiting: 2, since: first?.time },
    ]);
  });

  it('remembers events for 28 days, twice as long as a message can be redelivered', async () => {
    const { service, pool, url } = await createService('consumer');
    const receivedBefore = (age: string) =>
      pool.query(
        'insert into inbox (consumer, event_id, received_at) values ($1, gen_random_uuid(), now() - $2::interval)',
        [service, age],
      );
    for (const age of ['27 days 23 hours', '28 days 1 hour']) await receivedBefore(age);
    await pool.query(
      `insert into inbox select $1, gen_random_uuid(), now() - interval '29 days' from generate_series(1, 5000)`,
      [service],
    );
    await keepPartitions(new pg.Client(url), partitionedTables(400));
    const { rows } = await pool.query(`select received_at > now() - interval '28 days' as young from inbox`);
    expect(rows).toEqual([{ young: true }]);
  });
});
