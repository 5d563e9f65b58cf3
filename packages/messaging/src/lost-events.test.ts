import { headers } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { consume, countsRenamed, relay } from '../test/consuming.ts';
import { ownBroker } from '../test/own-broker.ts';
import {
  allSent,
  brokerAt,
  createService,
  effects,
  eventually,
  lostAt,
  rename,
  stored,
  type TestService,
} from '../test/rig.ts';
import { redelivery } from './stream.ts';
import { streamOf } from './stream-name.ts';

const namesIn = (texts: readonly string[]) => texts.map((text) => JSON.parse(text).data.name);

/**
 * A publisher and a consumer that has handled three events, of which two were published two hours and half an hour ago,
 * of a broker that is stopped.
 */
async function threePublished() {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const server = await ownBroker();
  await server.start();
  const broker = brokerAt(server.url);
  await broker.ready(60_000);
  consume(consumer, broker, [countsRenamed(publisher)]);
  const sending = relay(publisher, broker);
  await renamed(publisher, [1, 2, 3]);
  await handled(consumer, 3);
  await publisher.pool.query(
    `update outbox set published_at = published_at -
       case payload -> 'data' ->> 'name' when 'n1' then interval '2 hours' when 'n2' then interval '30 minutes' else '0' end`,
  );
  await server.stop();
  await server.copyMessages();
  return { publisher, consumer, server, broker, sending };
}

async function renamed(publisher: TestService, versions: readonly number[]) {
  for (const version of versions) await rename(publisher, { version, name: `n${version}` });
  await allSent(publisher);
}

const handled = (consumer: TestService, count: number) =>
  eventually(
    () => effects(consumer),
    (all) => all.length >= count,
  );

describe('events that a broker has acknowledged and lost', () => {
  it('are published again after a power cut, in their order, with those of an hour before, and take effect once', async () => {
    const { publisher, consumer, server, broker } = await threePublished();
    await server.start();
    await renamed(publisher, [4, 5, 6]);
    await handled(consumer, 6);
    await server.loseLaterMessages();
    await rename(publisher, { version: 7, name: 'n7' });
    await server.start();

    expect(await handled(consumer, 7)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']);
    await allSent(publisher);
    expect(await lostAt(publisher)).toBeTruthy();
    expect(namesIn(await stored(broker, publisher.service))).toEqual([
      'n1',
      'n2',
      'n3',
      'n4',
      'n5',
      'n6',
      'n7',
    ]);
    const { rows } = await publisher.pool.query(
      `select payload -> 'data' ->> 'name' as name from outbox where published_at < now() - interval '20 minutes'`,
    );
    expect(rows).toEqual([{ name: 'n1' }]);
  });

  it('reach consumers that had not handled them', async () => {
    const { publisher, server, broker } = await threePublished();
    await server.start();
    await renamed(publisher, [4, 5]);
    await server.loseLaterMessages();
    await server.start();
    await eventually(() => lostAt(publisher), Boolean);
    await allSent(publisher);
    const late = await createService('late');
    consume(late, broker, [countsRenamed(publisher)]);
    expect(await handled(late, 5)).toEqual(['n1', 'n2', 'n3', 'n4', 'n5']);
  });

  it('are missed also if other messages have their numbers by now', async () => {
    const { publisher, consumer, server, broker, sending } = await threePublished();
    await server.start();
    await renamed(publisher, [4, 5]);
    await handled(consumer, 5);
    await sending.stop();
    await server.loseLaterMessages();
    await server.start();
    await eventually(() => broker.connected(), Boolean);
    const { subject } = redelivery(`crm.${publisher.service}.contact.renamed`, 'nobody');
    for (let count = 0; count < 3; count++)
      await broker.session().js.publish(subject, 'another message', { headers: headers() });
    const { state } = await broker.session().jsm.streams.info(streamOf(publisher.service));
    expect(state.last_seq).toBe(6);
    relay(publisher, broker);
    await eventually(() => lostAt(publisher), Boolean);
    await allSent(publisher);
    const texts = await stored(broker, publisher.service);
    expect(namesIn(texts.filter((text) => text !== 'another message'))).toEqual([
      'n1',
      'n2',
      'n3',
      'n4',
      'n5',
    ]);
  });

  it('are missed between others, and only once', async () => {
    const [publisher, late] = [await createService('publisher'), await createService('late')];
    const server = await ownBroker();
    await server.start();
    const broker = brokerAt(server.url);
    relay(publisher, broker);
    // More than fits into one file of the broker.
    const names = Array.from({ length: 50 }, (_, index) => `${10 + index}${'x'.repeat(200_000)}`);
    for (const [index, name] of names.entries()) await rename(publisher, { id: index, name });
    await allSent(publisher);
    await server.loseMessagesBetween(1_000_000);
    await server.start();
    const first = await eventually(() => lostAt(publisher), Boolean);
    await allSent(publisher);
    consume(late, broker, [countsRenamed(publisher)]);
    expect(await handled(late, names.length)).toEqual(names);

    await server.stop();
    await server.start();
    await rename(publisher, { id: 99, name: 'z' });
    expect(await handled(late, names.length + 1)).toHaveLength(names.length + 1);
    expect(await lostAt(publisher)).toEqual(first);
  });
});
