import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import {
  brokerAt,
  createService,
  eventually,
  log,
  rename,
  sleep,
  stored,
  type TestService,
  waiting,
} from '../test/rig.ts';
import type { Broker } from './broker.ts';
import { setFault } from './fault.ts';
import { startRelay } from './relay.ts';

function relayOf(publisher: TestService, broker: Broker, batch?: number) {
  const relay = startRelay({ ...publisher, broker, log, batch });
  onTestFinished(() => relay.stop());
  return relay;
}

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

const terminateConnections = ({ service }: TestService) =>
  asAdmin('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [service]);

async function listening({ service }: TestService): Promise<number> {
  const text = `select from pg_stat_activity where usename = $1 and query like 'listen %'`;
  return (await asAdmin(text, [service])).length;
}

describe('the relay', () => {
  it('loses nothing of many concurrent writers with long transactions, and preserves the order per aggregate', async () => {
    const publisher = await createService('publisher');
    const broker = brokerAt(inject('natsUrl'));
    relayOf(publisher, broker, 50);
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let version = 1; version <= 40; version++) {
        // Some transactions commit long after later ones were sent.
        const meanwhile = () => sleep(version % 10 === writer % 10 ? 100 : Math.random() * 5);
        await rename(publisher, { id: writer, version, meanwhile });
      }
    });
    await Promise.all(writers);
    await eventually(
      () => waiting(publisher),
      (n) => n === 0,
    );

    const sent = await sentOf(broker, publisher);
    expect(sent).toHaveLength(16 * 40);
    const versions = Map.groupBy(sent, (event) => event.subject);
    const ascending = Array.from({ length: 40 }, (_, index) => index + 1);
    for (const [, events] of versions)
      expect(events.map((event) => event.aggregateversion)).toEqual(ascending);
  });

  it('runs once among several instances, and another takes over when it is killed between sending and marking', async () => {
    const publisher = await createService('publisher');
    const broker = brokerAt(inject('natsUrl'));
    for (let id = 1; id <= 20; id++) await rename(publisher, { id });
    const blocked = await blockedRelay(publisher);
    relayOf(publisher, broker);

    await sleep(800);
    expect(await waiting(publisher)).toBe(20);
    expect(await sentOf(broker, publisher)).toHaveLength(20);

    await blocked.kill();
    await eventually(
      () => waiting(publisher),
      (n) => n === 0,
      3_000,
    );
    // Sent again, and dropped by the broker as duplicates.
    expect(await sentOf(broker, publisher)).toHaveLength(20);
  });

  it('continues after all its database connections are terminated, one of them in the middle of a batch', async () => {
    const publisher = await createService('publisher');
    const broker = brokerAt(inject('natsUrl'));
    let cuts = 0;
    onTestFinished(() => setFault('relay.sent'));
    setFault('relay.sent', async () => {
      cuts++;
      if (cuts === 1) await terminateConnections(publisher);
    });
    const relay = startRelay({ ...publisher, broker, log, pollMs: 60_000 });
    onTestFinished(() => relay.stop());
    await rename(publisher);
    await eventually(
      () => waiting(publisher),
      (n) => n === 0,
    );
    await eventually(
      () => listening(publisher),
      (n) => n === 1,
    );
    await rename(publisher, { version: 2 });
    // The next poll is a minute away, so notifications must work again.
    await eventually(
      () => waiting(publisher),
      (n) => n === 0,
      2_000,
    );
    expect(await sentOf(broker, publisher)).toHaveLength(2);
  });
});
