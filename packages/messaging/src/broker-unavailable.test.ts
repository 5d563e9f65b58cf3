import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, freePort, startNats } from '@crm/embedded';
import { describe, expect, it, onTestFinished } from 'vitest';
import { consume, copiesRenamed, countsRenamed, relay } from '../test/consuming.ts';
import {
  brokerAt,
  copies,
  createService,
  effects,
  eventually,
  rename,
  sleep,
  stored,
  waiting,
} from '../test/rig.ts';
import { republish } from './republish.ts';

/** A broker for one test, which can be stopped and lose its data. */
async function ownBroker() {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-broker-'));
  const port = await freePort();
  let server: EmbeddedServer | undefined;
  const stop = async () => server?.stop();
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true });
  });
  return {
    url: `nats://127.0.0.1:${port}`,
    async start() {
      server = await startNats({ dataDir, port, syncInterval: '2m' });
    },
    stop,
    async loseData() {
      await stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

describe('while the broker is unavailable', () => {
  it('events wait, at the start and later, and then arrive once each', async () => {
    const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
    const server = await ownBroker();
    const broker = brokerAt(server.url);
    consume(consumer, broker, [countsRenamed(publisher)]);
    const sending = relay(publisher, broker);
    await rename(publisher, { id: 1, name: 'a' });
    await sleep(300);
    expect(await sending.lag()).toEqual({ waiting: 1, oldestSeconds: expect.any(Number) });

    await server.start();
    await eventually(
      () => effects(consumer),
      (all) => all.length === 1,
    );

    await server.stop();
    for (const [index, name] of ['b', 'c', 'd'].entries()) await rename(publisher, { id: 2 + index, name });
    await sleep(300);
    expect(await waiting(publisher)).toBe(3);
    await server.start();
    await eventually(
      () => effects(consumer),
      (all) => all.length === 4,
      20_000,
    );
    expect(await effects(consumer)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('events are republished to a broker that lost its data, and take effect once', async () => {
    const [publisher, consumer, late] = [
      await createService('publisher'),
      await createService('consumer'),
      await createService('late'),
    ];
    const server = await ownBroker();
    await server.start();
    const broker = brokerAt(server.url);
    consume(consumer, broker, [countsRenamed(publisher)]);
    relay(publisher, broker);
    const since = new Date(Date.now() - 60_000);
    for (const version of [1, 2, 3]) await rename(publisher, { version, name: `n${version}` });
    await eventually(
      () => effects(consumer),
      (all) => all.length === 3,
    );

    await server.loseData();
    await server.start();
    await rename(publisher, { version: 4, name: 'n4' });
    await eventually(
      () => effects(consumer),
      (all) => all.length === 4,
      20_000,
    );
    expect(await stored(broker, publisher.service)).toHaveLength(1);

    expect(await republish(publisher.pool, { since })).toBe(4);
    consume(late, broker, [copiesRenamed(publisher), countsRenamed(publisher)]);
    await eventually(
      () => effects(late),
      (all) => all.length === 4,
    );
    // The event that the broker still had arrived first, and is not overwritten by the older ones that are republished.
    expect(await copies(late)).toEqual({ 'contact/1': 'n4' });
    expect(await effects(consumer)).toEqual(['n1', 'n2', 'n3', 'n4']);
  });

  it('a service stops without waiting for it', async () => {
    const server = await ownBroker();
    const broker = brokerAt(server.url);
    await expect(broker.ready(100)).rejects.toThrow('did not respond within 100 ms');
    const started = performance.now();
    await broker.close();
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});
