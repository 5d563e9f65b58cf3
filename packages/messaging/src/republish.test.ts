import { isDeepStrictEqual } from 'node:util';
import { openDatabase } from '@crm/data';
import { EntitySchema } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { relay } from '../test/consuming.ts';
import { ownBroker } from '../test/own-broker.ts';
import {
  allSent,
  brokerAt,
  createService,
  eventually,
  log,
  lostAt,
  rename,
  stored,
  type TestService,
  waiting,
} from '../test/rig.ts';
import type { Broker } from './broker.ts';
import { checkStream } from './check-stream.ts';
import { keepPartitions } from './keep-partitions.ts';
import { partitionedTables } from './partitioned-tables.ts';
import { republish } from './republish.ts';
import { sendOutbox } from './send-outbox.ts';
import { streamOf } from './stream-name.ts';

/** There has to be one. */
const Effect = new EntitySchema({
  name: 'Effect',
  properties: { event_id: { type: 'uuid', primary: true } },
});

/** The pool of a service, which gives up connections that are silent while a statement runs. */
async function poolOf({ service, url }: TestService) {
  const store = { schema: service, entities: [Effect], migrations: [] };
  const { pool, close } = await openDatabase({ url, store, poolSize: 6 });
  onTestFinished(close);
  return pool;
}

async function connectedTo({ url }: TestService) {
  const client = new Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Lets PostgreSQL wait for each row that is marked as pending. */
const slowDown = ({ pool }: TestService, seconds: number) =>
  pool.query(`
    create function wait() returns trigger language plpgsql as $$
    begin
      if new.published_at is null then perform pg_sleep(${seconds}); end if;
      return new;
    end
    $$;
    create trigger waits before update on outbox for each row execute function wait();`);

const versionsIn = async (broker: Broker, { service }: TestService) =>
  (await stored(broker, service)).map((text) => JSON.parse(text).aggregateversion);

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** A publisher whose events of one aggregate a broker has acknowledged, in batches of two. */
async function published(count: number) {
  const publisher = await createService('publisher');
  const server = await ownBroker();
  await server.start();
  const broker = brokerAt(server.url);
  const pool = await poolOf(publisher);
  const start = () => relay(publisher, broker, { pool, batch: 2, portion: 5 });
  const sending = start();
  for (const version of upTo(count)) await rename(publisher, { version });
  await allSent(publisher);
  return { publisher, server, broker, pool, start, sending };
}

const reconnected = (broker: Broker) => eventually(() => broker.connected(), Boolean);

describe('events of a broker that lost its data', () => {
  it('are published again also if it takes longer to mark them than a statement may run', async () => {
    const { publisher, server, broker } = await published(20);
    await slowDown(publisher, 0.35);
    await server.loseData();
    await server.start();
    await eventually(() => lostAt(publisher), Boolean, 60_000);
    await allSent(publisher, 60_000);
    expect(await versionsIn(broker, publisher)).toEqual(upTo(20));
  });

  it('are all marked by the next relay when one is killed in between, and none is sent before', async () => {
    const { publisher, server, broker, pool, start, sending } = await published(20);
    await sending.stop();
    await server.loseData();
    await server.start();
    await reconnected(broker);
    const check = () => checkStream({ ...publisher, pool, broker, log, portion: 5 });
    expect([await check(), await check()]).toEqual(['unfinished', 'unfinished']);
    expect(await lostAt(publisher)).toBeTruthy();
    expect(await waiting(publisher)).toBeGreaterThanOrEqual(10);
    expect(await waiting(publisher)).toBeLessThan(20);

    // As one does that has checked the stream before the loss.
    await rename(publisher, { version: 21 });
    const sent = await sendOutbox({ ...publisher, pool, broker, batch: 500 });
    expect(sent).toMatchObject({ rows: 0, isHeldBack: true });
    const { state } = await broker.session().jsm.streams.info(streamOf(publisher.service));
    expect(state.messages).toBe(0);

    start();
    await allSent(publisher);
    expect(await versionsIn(broker, publisher)).toEqual(upTo(21));
  });

  it('are published again from the beginning if the broker loses them once more in between', async () => {
    const { publisher, server, broker, pool, start, sending } = await published(20);
    await sending.stop();
    const check = () => checkStream({ ...publisher, pool, broker, log, portion: 5 });
    await server.loseData();
    await server.start();
    await reconnected(broker);
    while ((await check()) === 'unfinished');
    expect(await sendOutbox({ ...publisher, pool, broker, batch: 10 })).toMatchObject({ rows: 10 });
    await server.loseData();
    await server.start();
    await reconnected(broker);
    expect(await check()).toBe('unfinished');
    start();
    await allSent(publisher);
    expect(await versionsIn(broker, publisher)).toEqual(upTo(20));
  });
});

describe('events that an operator publishes again', () => {
  /** When the events were published. */
  const times = async ({ pool }: TestService) =>
    (await pool.query<{ at: string }>('select published_at::text as at from outbox order by id')).rows;

  it('are those since a time, in portions, by a relay that has nothing else to send', async () => {
    const { publisher } = await published(20);
    await publisher.pool.query(
      "update outbox set published_at = published_at - interval '1 hour' where id <= 2",
    );
    const before = await times(publisher);
    const client = await connectedTo(publisher);
    expect(await republish(client, { since: new Date(Date.now() - 1_800_000) })).toBe(18);
    const isAgain = (after: readonly object[]) =>
      after.every((time, index) => isDeepStrictEqual(time, before[index]) === index < 2);
    await eventually(() => times(publisher), isAgain);
    await allSent(publisher);
    expect((await times(publisher)).slice(0, 2)).toEqual(before.slice(0, 2));
  });

  it('are sent in their order, also if somebody else marks some of them at the same time', async () => {
    const { publisher, pool, start, sending } = await published(20);
    await sending.stop();
    const client = await connectedTo(publisher);
    await keepPartitions(new Client(publisher.url), partitionedTables(400));
    await client.query('update outbox set published_at = published_at');
    const before = await times(publisher);
    await republish(client, { since: new Date(0) });
    await republish(client, { since: new Date() });
    await client.query('begin; update outbox set published_at = null where id in (2, 7)');
    start();
    const isWaiting = `select from pg_stat_activity where usename = current_user and wait_event_type = 'Lock'`;
    await eventually(
      async () => (await pool.query(isWaiting)).rowCount,
      (count) => count === 1,
    );
    await client.query('commit');
    await eventually(
      () => times(publisher),
      (after) => after.every(({ at }, index) => at !== null && at !== before[index]?.at),
    );
    const { rows } = await pool.query<{ id: string }>('select id from outbox order by published_at, id');
    expect(rows.map(({ id }) => Number(id))).toEqual(upTo(20));
  });

  it('wait since they are pending again, however long ago they were written', async () => {
    const { publisher, broker, pool, sending } = await published(3);
    await sending.stop();
    await publisher.pool.query("update outbox set created_at = now() - interval '3 days'");
    await republish(await connectedTo(publisher), { since: new Date(0) });
    expect(await checkStream({ ...publisher, pool, broker, log, portion: 5 })).toBe('finished');
    const { waiting: pending, oldestSeconds } = await sending.lag();
    expect(pending).toBe(3);
    expect(oldestSeconds).toBeLessThan(3_600);
  });
});
