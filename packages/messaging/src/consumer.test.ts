import { setTimeout as sleep } from 'node:timers/promises';
import { defineEvent } from '@crm/events';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { consume, copiesRenamed, countsRenamed, relay } from '../test/consuming.ts';
import { brokerAt, copies, createService, effects, eventually, rename } from '../test/rig.ts';
import { setFault } from './fault.ts';
import { OutboxMessage } from './outbox-message.entity.ts';
import { publish } from './publish.ts';
import { streamOf } from './stream.ts';
import { on } from './subscription.ts';

const natsUrl = () => inject('natsUrl');

describe('consuming', () => {
  it('takes effect once if the acknowledgement is lost after the commit and the event is redelivered', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(natsUrl());
    let crashes = 0;
    onTestFinished(() => setFault('consumer.committed'));
    setFault('consumer.committed', () => {
      crashes++;
      if (crashes <= 2) throw new Error('The process crashes here.');
    });
    consume(consumer, broker, [countsRenamed(publisher)], { ackWaitMs: 500 });
    relay(publisher, broker);
    await rename(publisher);
    await eventually(
      () => crashes,
      (n) => n === 3,
    );
    expect(await effects(consumer)).toEqual(['Ada']);
    const { jsm } = broker.session();
    const outstanding = async () =>
      (await jsm.consumers.info(streamOf(publisher.service), consumer.service)).num_ack_pending;
    await eventually(outstanding, (n) => n === 0);
  });

  it('runs all handlers of an event or none, and shares the work between instances', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    let failures = 0;
    const failsOnce = countsRenamed(publisher, async () => {
      failures++;
      if (failures === 1) throw new Error('Not yet.');
    });
    const subscriptions = [countsRenamed(publisher), failsOnce];
    consume(consumer, brokerAt(natsUrl()), subscriptions, { backoffMs: [50] });
    consume(consumer, brokerAt(natsUrl()), subscriptions, { backoffMs: [50] });
    relay(publisher, brokerAt(natsUrl()));
    const names = Array.from({ length: 60 }, (_, id) => `n${String(id).padStart(2, '0')}`);
    for (const [id, name] of names.entries()) await rename(publisher, { id, name });
    await eventually(
      () => effects(consumer),
      (all) => all.length >= 120,
    );
    await sleep(200);
    expect(await effects(consumer)).toEqual(names.flatMap((name) => [name, name]));
  });

  it('reaches the latest state in whatever order the events of an aggregate arrive', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(natsUrl());
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
    await eventually(
      () => effects(consumer),
      (all) => all.length === 12,
    );
    expect(seen).toBe(12);
    expect(await copies(consumer)).toEqual({ 'contact/1': 'name 6', 'contact/2': 'name 6' });
  });

  it('starts before the publisher, and continues when its durable consumer is removed', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(natsUrl());
    consume(consumer, broker, [countsRenamed(publisher)]);
    await broker.ready(5_000);
    await sleep(200);
    relay(publisher, broker);
    await rename(publisher, { name: 'before' });
    await eventually(
      () => effects(consumer),
      (all) => all.length === 1,
    );

    await broker.session().jsm.consumers.delete(streamOf(publisher.service), consumer.service);
    await rename(publisher, { name: 'after' });
    // The new durable consumer receives everything from the beginning, and the inbox detects what was handled.
    await eventually(
      () => effects(consumer),
      (all) => all.length === 2,
    );
    expect(await effects(consumer)).toEqual(['after', 'before']);
  });

  it('keeps a message while the database is unavailable, and counts no failure', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(natsUrl());
    let attempts = 0;
    const openEm = () => {
      attempts++;
      if (attempts <= 3) throw new Error('The database is unavailable.');
      return consumer.orm.em.fork();
    };
    consume(consumer, broker, [countsRenamed(publisher)], { openEm, maxDeliver: 1 });
    relay(publisher, broker);
    await rename(publisher);
    await eventually(
      () => effects(consumer),
      (all) => all.length === 1,
    );
    expect(attempts).toBe(4);
  });

  it('settles messages in progress before it stops, and leaves the others to other instances', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(natsUrl());
    for (let id = 1; id <= 30; id++) await rename(publisher, { id });
    relay(publisher, broker);
    let started = 0;
    const slow = countsRenamed(publisher, async () => {
      started++;
      await sleep(300);
    });
    const first = consume(consumer, broker, [slow]);
    await eventually(
      () => started,
      (n) => n > 0,
    );
    await first.stop();
    expect(await effects(consumer)).toHaveLength(started);
    expect(started).toBeLessThan(30);
    consume(consumer, broker, [countsRenamed(publisher)], { concurrency: 8 });
    await eventually(
      () => effects(consumer),
      (all) => all.length === 30,
    );
    expect(await consumer.orm.em.fork().count(OutboxMessage)).toBe(0);
  });

  it('also receives what a newer version of the service subscribes to', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = brokerAt(natsUrl());
    const removed = defineEvent(
      `${publisher.service}.contact.removed`,
      'A contact was removed',
      z.object({}),
    );
    const countsRemoved = on(removed, 'counts it', async ({ em, event }) => {
      await em.execute('insert into effects (event_id, name) values (?, ?)', [event.id, 'removed']);
    });
    const older = consume(consumer, broker, [countsRenamed(publisher)]);
    relay(publisher, broker);
    await rename(publisher);
    await eventually(
      () => effects(consumer),
      (all) => all.length === 1,
    );
    await older.stop();
    consume(consumer, broker, [countsRenamed(publisher), countsRemoved]);
    const filters = async () =>
      (await broker.session().jsm.consumers.info(streamOf(publisher.service), consumer.service)).config
        .filter_subjects;
    await eventually(filters, (all) => all?.length === 3);
    const em = publisher.orm.em.fork();
    publish(
      { em, actor: 'system', requestId: 'test', now: () => new Date(0) },
      removed,
      { id: 1, version: 2 },
      {},
    );
    await em.flush();
    await eventually(
      () => effects(consumer),
      (all) => all.length === 2,
    );
    expect(await effects(consumer)).toEqual(['Ada', 'removed']);
  });
});
