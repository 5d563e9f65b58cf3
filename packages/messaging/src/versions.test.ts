import { defineEvent } from '@crm/events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { brokerWithUsers } from '../test/broker-with-users.ts';
import { allAnswered, consume, consumerOf, countsRenamed, relay } from '../test/consuming.ts';
import {
  allSent,
  connectedBroker,
  createService,
  effects,
  eventually,
  rename,
  type TestService,
  untilEffects,
} from '../test/rig.ts';
import type { Broker } from './broker.ts';
import { clearCrashPoints, setCrashPointOnce } from './crash-point.ts';
import { publish } from './publish.ts';
import { streamOf } from './stream-name.ts';
import { on } from './subscription.ts';

/** How often the messages that are not handled yet have failed. */
async function failures({ pool }: TestService): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'select coalesce(sum(failures), 0)::int as n from inbox_failures',
  );
  return rows[0]?.n ?? 0;
}

const eventOf = ({ service }: TestService, name: string) =>
  defineEvent(`${service}.contact.${name}`, 'Something happened to a contact', z.object({}));

const publishOne = (publisher: TestService, name: string, version = 1) =>
  publisher.orm.em.fork().transactional(async (em) => {
    const origin = { em, actor: 'system', requestId: 'test', now: () => new Date(0) };
    publish(origin, eventOf(publisher, name), { id: 9, version }, {});
  });

const counts = (publisher: TestService, name: string) =>
  on(eventOf(publisher, name), 'counts it', async ({ em, event }) => {
    await em.execute('insert into effects (event_id, name) values (?, ?)', [event.id, name]);
  });

type Connect = (service: string) => Promise<Broker>;

/** A running consumer that has read past two events to which it does not subscribe yet. */
async function passed(
  brokerOf: (services: readonly TestService[]) => Promise<Connect> = async () => connectedBroker,
) {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const connected = await brokerOf([publisher, consumer]);
  const broker = await connected(consumer.service);
  const older = consume(consumer, broker, [countsRenamed(publisher)]);
  relay(publisher, await connected(publisher.service));
  for (const name of ['removed', 'shared']) await publishOne(publisher, name);
  await rename(publisher);
  await untilEffects(consumer, 1);
  await allAnswered(broker, publisher, consumer);
  const start = (...added: string[]) =>
    consume(consumer, broker, [countsRenamed(publisher), ...added.map((name) => counts(publisher, name))]);
  const isMarked = async () => {
    const { config } = await consumerOf(broker, publisher, consumer);
    return config.metadata?.['crm-added-subjects'] !== undefined;
  };
  /** The effects once everything was delivered again and answered. */
  const settled = async () => {
    await eventually(isMarked, (marked) => !marked);
    await allAnswered(broker, publisher, consumer);
    return effects(consumer);
  };
  return { publisher, consumer, broker, older, start, isMarked, settled };
}

describe('instances of several versions', () => {
  it('receive what only the newer one subscribes to', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const older = consume(consumer, broker, [countsRenamed(publisher)]);
    relay(publisher, broker);
    await rename(publisher);
    await untilEffects(consumer, 1);
    await older.stop();
    consume(consumer, broker, [countsRenamed(publisher), counts(publisher, 'removed')]);
    const filters = async () => (await consumerOf(broker, publisher, consumer)).config.filter_subjects;
    await eventually(filters, (all) => all?.length === 3);
    await publishOne(publisher, 'removed');
    await untilEffects(consumer, 2);
    expect(await effects(consumer)).toEqual(['Ada', 'removed']);
  });

  it('receive what was published before the newer one subscribes to it, once', async () => {
    const { publisher, consumer, start, settled, older } = await passed();
    await older.stop();
    const newer = [start('removed'), start('removed')];
    await untilEffects(consumer, 2);
    await publishOne(publisher, 'removed', 2);
    await rename(publisher, { version: 2 });
    await untilEffects(consumer, 4);
    expect(await settled()).toEqual(['Ada', 'Ada', 'removed', 'removed']);
    for (const one of newer) await one.stop();
    start('removed', 'shared');
    await untilEffects(consumer, 5);
    expect(await settled()).toEqual(['Ada', 'Ada', 'removed', 'removed', 'shared']);
  });

  it('receive it also if nothing was published since to which the older one subscribes', async () => {
    const { publisher, consumer, broker, start, settled, older } = await passed();
    await older.stop();
    await publishOne(publisher, 'moved');
    await allSent(publisher);
    const again = start();
    const waiting = async () => (await consumerOf(broker, publisher, consumer)).num_waiting;
    // The broker has looked for what the older one subscribes to, and found nothing up to the end of the stream.
    await eventually(waiting, (requests) => requests > 0);
    await again.stop();
    start('moved');
    await untilEffects(consumer, 2);
    expect(await settled()).toEqual(['Ada', 'moved']);
  });

  it('receive nothing again that came before the first of it', async () => {
    const { publisher, consumer, broker, start, settled, older } = await passed();
    await older.stop();
    await publishOne(publisher, 'moved');
    await rename(publisher, { version: 2 });
    const newer = start();
    await untilEffects(consumer, 2);
    await newer.stop();
    await allAnswered(broker, publisher, consumer);
    const received = async () => (await consumerOf(broker, publisher, consumer)).delivered.consumer_seq;
    start('moved');
    await untilEffects(consumer, 3);
    expect(await settled()).toEqual(['Ada', 'Ada', 'moved']);
    // The added one and the one after it, counted from where it went back to.
    expect(await received()).toBe(2);
  });

  it('receive it also if the newer one crashes when it has just subscribed, and others go on', async () => {
    const { publisher, consumer, start, settled, older } = await passed();
    onTestFinished(clearCrashPoints);
    const { promise: crashed, resolve } = Promise.withResolvers<void>();
    setCrashPointOnce('durable.changed', () => {
      resolve(crashing.stop());
      throw new Error('The process ends.');
    });
    const crashing = start('removed');
    await crashed;
    await rename(publisher, { version: 2 });
    await untilEffects(consumer, 2);
    await older.stop();
    start('removed');
    await untilEffects(consumer, 3);
    expect(await settled()).toEqual(['Ada', 'Ada', 'removed']);
  });

  it('receive it later if the users of the broker are those of a release that did not do this', async () => {
    const withoutReset = (lines: string) => lines.replace(/"\$JS\.API\.CONSUMER\.RESET[^"]*",/g, '');
    const { promise: renewing, resolve } = Promise.withResolvers<() => Promise<void>>();
    const { publisher, consumer, broker, older, start, isMarked, settled } = await passed(
      async (services) => {
        const { connected, renew } = await brokerWithUsers(services, undefined, withoutReset);
        resolve(renew);
        return connected;
      },
    );
    await older.stop();
    start('removed');
    await eventually(isMarked, Boolean);
    await publishOne(publisher, 'removed', 2);
    await untilEffects(consumer, 2);
    const renew = await renewing;
    await renew();
    const { consumers } = broker.session().jsm;
    // To where it is.
    const mayReset = () =>
      consumers.reset(streamOf(publisher.service), consumer.service).then(Boolean, () => false);
    await eventually(mayReset, Boolean);
    start('removed');
    await untilEffects(consumer, 3);
    expect(await settled()).toEqual(['Ada', 'removed', 'removed']);
  });

  it('leave data that only the newer one can read to it', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const renamed = defineEvent(
      `${publisher.service}.contact.renamed`,
      'It was renamed',
      z.object({ name: z.enum(['Ada']) }),
    );
    const tries = { backoffMs: [20], maxFailures: 1_000 };
    consume(consumer, broker, [on(renamed, 'reads only one name', async () => {})], tries);
    relay(publisher, broker);
    await rename(publisher, { name: 'Bea' });
    await eventually(
      () => failures(consumer),
      (n) => n > 2,
    );
    consume(consumer, await connectedBroker(), [countsRenamed(publisher)], tries);
    await untilEffects(consumer, 1);
    await allAnswered(broker, publisher, consumer);
    expect(await failures(consumer)).toBe(0);
  });

  it('keep the subscriptions of the newer one when the older one starts again', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
    const removed = defineEvent(`${publisher.service}.contact.removed`, 'It was removed', z.object({}));
    const countsRemoved = on(removed, 'counts it', async () => {});
    relay(publisher, broker);
    await rename(publisher);
    await allSent(publisher);
    const filters = async () => (await consumerOf(broker, publisher, consumer)).config.filter_subjects;
    await consume(consumer, broker, [countsRenamed(publisher), countsRemoved]).stop();
    const newer = consume(consumer, broker, [countsRenamed(publisher), countsRemoved]);
    await eventually(
      () => filters().catch(() => []),
      (all) => all?.length === 3,
    );
    const older = consume(consumer, broker, [countsRenamed(publisher)]);
    await rename(publisher, { id: 2, name: 'Bea' });
    await untilEffects(consumer, 2);
    await older.stop();
    await newer.stop();
    expect(await filters()).toHaveLength(3);
  });
});
