import { setTimeout as sleep } from 'node:timers/promises';
import { defineEvent } from '@crm/events';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { copiesRenamed, countsRenamed, listen, relay } from '../test/listening.ts';
import { brokerAt, copies, effects, eventually, place, rename } from '../test/rig.ts';
import { setFault } from './fault.ts';
import { OutboxMessage } from './outbox-message.entity.ts';
import { publish } from './publish.ts';
import { streamOf } from './stream.ts';
import { on } from './subscription.ts';

const natsUrl = () => inject('natsUrl');

describe('consuming', () => {
  it('has effect once when the answer is lost after the commit and the event comes again', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = brokerAt(natsUrl());
    let crashes = 0;
    onTestFinished(() => setFault('consumer.committed'));
    setFault('consumer.committed', () => {
      crashes++;
      if (crashes <= 2) throw new Error('The process ends here.');
    });
    listen(listener, broker, [countsRenamed(publisher)], { ackWaitMs: 500 });
    relay(publisher, broker);
    await rename(publisher);
    await eventually(
      () => crashes,
      (n) => n === 3,
    );
    expect(await effects(listener)).toEqual(['Ada']);
    const { jsm } = broker.session();
    const outstanding = async () =>
      (await jsm.consumers.info(streamOf(publisher.service), listener.service)).num_ack_pending;
    await eventually(outstanding, (n) => n === 0);
  });

  it('runs all handlers of an event or none, and shares the work of a service between its instances', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    let failures = 0;
    const failsOnce = countsRenamed(publisher, async () => {
      failures++;
      if (failures === 1) throw new Error('Not yet.');
    });
    const subscriptions = [countsRenamed(publisher), failsOnce];
    listen(listener, brokerAt(natsUrl()), subscriptions, { backoffMs: [50] });
    listen(listener, brokerAt(natsUrl()), subscriptions, { backoffMs: [50] });
    relay(publisher, brokerAt(natsUrl()));
    const names = Array.from({ length: 60 }, (_, id) => `n${String(id).padStart(2, '0')}`);
    for (const [id, name] of names.entries()) await rename(publisher, { id, name });
    await eventually(
      () => effects(listener),
      (all) => all.length >= 120,
    );
    await sleep(200);
    expect(await effects(listener)).toEqual(names.flatMap((name) => [name, name]));
  });

  it('comes to the latest state in whatever order the events of an aggregate come', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = brokerAt(natsUrl());
    const order = [3, 1, 5, 2, 6, 4];
    for (const version of order) await rename(publisher, { version, name: `name ${version}` });
    for (const version of order.toReversed())
      await rename(publisher, { id: 2, version, name: `name ${version}` });
    let seen = 0;
    const counting = countsRenamed(publisher, async () => {
      seen++;
    });
    listen(listener, broker, [copiesRenamed(publisher), counting]);
    relay(publisher, broker);
    await eventually(
      () => effects(listener),
      (all) => all.length === 12,
    );
    expect(seen).toBe(12);
    expect(await copies(listener)).toEqual({ 'contact/1': 'name 6', 'contact/2': 'name 6' });
  });

  it('starts before the publisher does, and goes on when its consumer is removed', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = brokerAt(natsUrl());
    listen(listener, broker, [countsRenamed(publisher)]);
    await broker.ready(5_000);
    await sleep(200);
    relay(publisher, broker);
    await rename(publisher, { name: 'before' });
    await eventually(
      () => effects(listener),
      (all) => all.length === 1,
    );

    await broker.session().jsm.consumers.delete(streamOf(publisher.service), listener.service);
    await rename(publisher, { name: 'after' });
    // The consumer made anew hears everything from the beginning, and the inbox knows what was there.
    await eventually(
      () => effects(listener),
      (all) => all.length === 2,
    );
    expect(await effects(listener)).toEqual(['after', 'before']);
  });

  it('holds a message while the database is away, and counts no failure', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = brokerAt(natsUrl());
    let asked = 0;
    const openEm = () => {
      asked++;
      if (asked <= 3) throw new Error('The database is away.');
      return listener.orm.em.fork();
    };
    listen(listener, broker, [countsRenamed(publisher)], { openEm, maxDeliver: 1 });
    relay(publisher, broker);
    await rename(publisher);
    await eventually(
      () => effects(listener),
      (all) => all.length === 1,
    );
    expect(asked).toBe(4);
  });

  it('settles what is in hand before it stops, and leaves the rest to others', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = brokerAt(natsUrl());
    for (let id = 1; id <= 30; id++) await rename(publisher, { id });
    relay(publisher, broker);
    let begun = 0;
    const slow = countsRenamed(publisher, async () => {
      begun++;
      await sleep(300);
    });
    const first = listen(listener, broker, [slow]);
    await eventually(
      () => begun,
      (n) => n > 0,
    );
    await first.stop();
    expect(await effects(listener)).toHaveLength(begun);
    expect(begun).toBeLessThan(30);
    listen(listener, broker, [countsRenamed(publisher)], { concurrency: 8 });
    await eventually(
      () => effects(listener),
      (all) => all.length === 30,
    );
    expect(await listener.orm.em.fork().count(OutboxMessage)).toBe(0);
  });

  it('hears also what a newer version of the service subscribes to', async () => {
    const [publisher, listener] = [await place('publisher'), await place('listener')];
    const broker = brokerAt(natsUrl());
    const removed = defineEvent(`${publisher.service}.contact.removed`, 'Somebody is gone', z.object({}));
    const countsRemoved = on(removed, 'counts it', async ({ em, event }) => {
      await em.execute('insert into effects (event_id, name) values (?, ?)', [event.id, 'removed']);
    });
    const older = listen(listener, broker, [countsRenamed(publisher)]);
    relay(publisher, broker);
    await rename(publisher);
    await eventually(
      () => effects(listener),
      (all) => all.length === 1,
    );
    await older.stop();
    listen(listener, broker, [countsRenamed(publisher), countsRemoved]);
    const filters = async () =>
      (await broker.session().jsm.consumers.info(streamOf(publisher.service), listener.service)).config
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
      () => effects(listener),
      (all) => all.length === 2,
    );
    expect(await effects(listener)).toEqual(['Ada', 'removed']);
  });
});
