import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { faultyProxy } from '@crm/testing';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { relay } from '../test/consuming.ts';
import {
  allSent,
  brokerAt,
  connectedBroker,
  createService,
  eventually,
  rename,
  stored,
  type TestService,
  waiting,
} from '../test/rig.ts';
import type { Broker } from './broker.ts';
import { clearCrashPoints, setCrashPoint } from './crash-point.ts';
import { keepPartitions } from './keep-partitions.ts';
import { partitionedTables } from './partitioned-tables.ts';
import { sendOutbox } from './send-outbox.ts';
import { ensureStream } from './stream.ts';
import { streamOf } from './stream-name.ts';

/** A relay in its own process that has the lock and has sent a batch, but not marked it. */
async function blockedRelay({ url, service }: TestService) {
  const script = fileURLToPath(new URL('../test/blocked-relay.ts', import.meta.url));
  const child = spawn(process.execPath, [script, url, inject('natsUrl'), service], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  onTestFinished(kill);
  await once(child.stdout, 'data');
  return { kill };
}

const sentOf = async (broker: Broker, { service }: TestService) =>
  (await stored(broker, service)).map((text): { subject: string; aggregateversion: number } =>
    JSON.parse(text),
  );

async function asAdmin<Row extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<Row[]> {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') });
  await admin.connect();
  const { rows } = await admin.query<Row>(sql, values);
  await admin.end();
  return rows;
}

/** A pool of the relay's own: the connections by which the test looks on are not among those it cuts. */
function relayPool({ url }: TestService): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, application_name: 'relay' });
  onTestFinished(() => pool.end());
  return pool;
}

const cutRelay = ({ service }: TestService) =>
  asAdmin(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and application_name = 'relay'`,
    [service],
  );

async function listening({ service }: TestService): Promise<number> {
  const text = `select from pg_stat_activity where usename = $1 and query like 'listen %'`;
  return (await asAdmin(text, [service])).length;
}

describe('the relay', () => {
  it('loses nothing of many writers at once with long transactions, and keeps the order of each aggregate', async () => {
    const publisher = await createService('publisher');
    const broker = await connectedBroker();
    relay(publisher, broker, { batch: 50 });
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let version = 1; version <= 40; version++) {
        // Some transactions commit long after later ones were sent.
        const meanwhile = () => sleep(version % 10 === writer % 10 ? 100 : Math.random() * 5);
        await rename(publisher, { id: writer, version, meanwhile });
      }
    });
    await Promise.all(writers);
    await allSent(publisher);

    const sent = await sentOf(broker, publisher);
    expect(sent).toHaveLength(16 * 40);
    const versions = Map.groupBy(sent, (event) => event.subject);
    const ascending = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const [, events] of versions)
      expect(events.map((event) => event.aggregateversion)).toEqual(ascending);
  });

  it('has one at work of several, and another goes on when that one is killed between sending and marking', async () => {
    const publisher = await createService('publisher');
    const broker = await connectedBroker();
    for (let id = 1; id <= 20; id++) await rename(publisher, { id });
    const blocked = await blockedRelay(publisher);
    relay(publisher, broker);

    expect(await sendOutbox({ ...publisher, broker, batch: 500 })).toBeUndefined();
    expect(await waiting(publisher)).toBe(20);
    expect(await sentOf(broker, publisher)).toHaveLength(20);

    await blocked.kill();
    await allSent(publisher);
    // Sent again, and dropped by the broker because it knew the ids.
    expect(await sentOf(broker, publisher)).toHaveLength(20);
  });

  it('goes on when all its connections to the database are cut, one of them in the middle of a batch', async () => {
    const publisher = await createService('publisher');
    const broker = await connectedBroker();
    let cuts = 0;
    onTestFinished(clearCrashPoints);
    setCrashPoint('relay.sent', async () => {
      cuts++;
      if (cuts === 1) await cutRelay(publisher);
    });
    relay(publisher, broker, { pool: relayPool(publisher) });
    await rename(publisher);
    await allSent(publisher);
    await eventually(
      () => listening(publisher),
      (n) => n === 1,
    );
    await rename(publisher, { version: 2 });
    // The next look without one is half a minute away, so notifications must work again.
    await allSent(publisher);
    expect(await sentOf(broker, publisher)).toHaveLength(2);
  });

  it('sends no later event of an aggregate before one that the broker refused, and those of others', async () => {
    const publisher = await createService('publisher');
    const broker = await connectedBroker();
    const name = streamOf(publisher.service);
    await broker.session().jsm.streams.add({
      name,
      subjects: [`crm.${publisher.service}.>`],
      allow_direct: true,
      max_msg_size: 1_000,
    });
    for (const version of [1, 2, 3])
      await rename(publisher, { id: 1, version, name: 'x'.repeat(version === 2 ? 1_000 : 1) });
    await rename(publisher, { id: 2, version: 1 });
    const sent = async () =>
      (await sentOf(broker, publisher)).map(
        ({ subject, aggregateversion }) => `${subject} ${aggregateversion}`,
      );

    const sending = await sendOutbox({ ...publisher, broker, batch: 500 });
    expect(String(sending?.failure)).toContain('maximum');
    expect((await sent()).sort()).toEqual(['contact/1 1', 'contact/2 1']);
    expect(await waiting(publisher)).toBe(2);

    await ensureStream(broker, publisher.service);
    await sendOutbox({ ...publisher, broker, batch: 500 });
    expect((await sent()).slice(2)).toEqual(['contact/1 2', 'contact/1 3']);
  });

  it('marks what a slow broker has acknowledged before the time for its lock is over, and sends the rest after it', async () => {
    const publisher = await createService('publisher');
    const proxy = await faultyProxy(inject('natsUrl'));
    onTestFinished(proxy.close);
    const broker = brokerAt(proxy.url.replace('http:', 'nats:'));
    await broker.ready(60_000);
    await ensureStream(broker, publisher.service);
    for (let version = 1; version <= 12; version++) await rename(publisher, { version });
    proxy.disturb({ delayMs: 50 });
    const send = () => sendOutbox({ ...publisher, broker, batch: 500, idleMs: 1_000 });
    expect(await send()).toMatchObject({ hasMore: true, failure: undefined });
    const rest = await waiting(publisher);
    expect(rest).toBeGreaterThan(0);
    expect(rest).toBeLessThan(12);
    while ((await send())?.hasMore);
    const versions = (await sentOf(broker, publisher)).map(({ aggregateversion }) => aggregateversion);
    expect(versions).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  });

  it('forgets what it sent once no stream keeps it any longer, and never what it has not sent', async () => {
    const publisher = await createService('publisher');
    for (const id of [1, 2, 3]) await rename(publisher, { id });
    await publisher.pool.query(`update outbox set created_at = now() - interval '16 days'`);
    const sentBefore = (id: number, age: string) =>
      publisher.pool.query('update outbox set published_at = now() - $2::interval where id = $1', [id, age]);
    await sentBefore(1, '15 days 1 hour');
    await sentBefore(2, '14 days 23 hours');
    await keepPartitions(new pg.Client(publisher.url), partitionedTables(400));
    const { rows } = await publisher.pool.query('select id::int from outbox order by id');
    expect(rows).toEqual([{ id: 2 }, { id: 3 }]);
  });
});
