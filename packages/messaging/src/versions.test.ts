import { defineEvent } from '@crm/events';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
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
import { publish } from './publish.ts';
import { on } from './subscription.ts';

/** How often the messages that are not handled yet have failed. */
async function failures({ pool }: TestService): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    'select coalesce(sum(failures), 0)::int as n from inbox_failures',
  );
  return rows[0]?.n ?? 0;
}

describe('instances of several versions', () => {
  it('receive what only the newer one subscribes to', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const broker = await connectedBroker();
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
    await untilEffects(consumer, 1);
    await older.stop();
    consume(consumer, broker, [countsRenamed(publisher), countsRemoved]);
    const filters = async () => (await consumerOf(broker, publisher, consumer)).config.filter_subjects;
    await eventually(filters, (all) => all?.length === 3);
    await publisher.orm.em.fork().transactional(async (em) => {
      const origin = { em, actor: 'system', requestId: 'test', now: () => new Date(0) };
      publish(origin, removed, { id: 1, version: 2 }, {});
    });
    await untilEffects(consumer, 2);
    expect(await effects(consumer)).toEqual(['Ada', 'removed']);
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
