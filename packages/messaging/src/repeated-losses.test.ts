import { Client, type Pool } from 'pg';
import { expect, it } from 'vitest';
import { allAnswered, consume, countsRenamed, relay } from '../test/consuming.ts';
import { ownBroker } from '../test/own-broker.ts';
import { allSent, brokerAt, createService, effects, rename, untilEffects } from '../test/rig.ts';
import { keepPartitions } from './keep-partitions.ts';
import { partitionedTables } from './partitioned-tables.ts';

/** An id of an event, whose first 48 bits are its time, as of an earlier day. */
const earlier = (id: string, days: number) => `(
  lpad(to_hex(('x' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(48)::bigint - ${days} * 86400000::bigint), 12, '0')
  || substr(replace(${id}::text, '-', ''), 13))::uuid`;

/** Lets days pass: everything that happened becomes older. */
async function letDaysPass(pool: Pool, days: number): Promise<void> {
  const ago = (column: string) => `${column} = ${column} - interval '${days} days'`;
  await pool.query(
    `update outbox set ${ago('published_at')}, ${ago('created_at')}, event_id = ${earlier('event_id', days)},
       payload = jsonb_set(payload, '{id}', to_jsonb(${earlier("(payload ->> 'id')", days)}::text));
     update inbox set ${ago('received_at')}, event_id = ${earlier('event_id', days)};
     update published_streams set last_event_id = ${earlier('last_event_id', days)};`,
  );
}

const partitionsOf = ({ url }: { readonly url: string }) =>
  keepPartitions(new Client(url), partitionedTables(400));

it('no event is handled twice, and the outbox does not grow, however often the broker loses its data', async () => {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const server = await ownBroker();
  await server.start();
  const broker = brokerAt(server.url);
  relay(publisher, broker);
  consume(consumer, broker, [countsRenamed(publisher)]);
  await rename(publisher, { name: '0' });
  await untilEffects(consumer, 1);
  await allSent(publisher);
  for (const loss of ['1', '2', '3', '4']) {
    for (const service of [publisher, consumer]) {
      await letDaysPass(service.pool, 10);
      await partitionsOf(service);
    }
    await server.loseData();
    await server.start();
    await rename(publisher, { name: loss });
    await expect.poll(() => effects(consumer), { timeout: 60_000 }).toContain(loss);
    await allSent(publisher);
    await allAnswered(broker, publisher, consumer);
  }
  expect((await effects(consumer)).toSorted()).toEqual(['0', '1', '2', '3', '4']);
  // The first one was published again once, and left it fifteen days later.
  const { rowCount } = await publisher.pool.query('select from outbox');
  expect(rowCount).toBeLessThan(5);
});
