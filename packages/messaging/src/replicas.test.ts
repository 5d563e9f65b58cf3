import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, startNats } from '@crm/embedded';
import { reservePort } from '@crm/testing';
import { expect, it, onTestFinished } from 'vitest';
import { consume, countsRenamed, relay } from '../test/consuming.ts';
import { createService, effects, eventually, log, lostAt, rename } from '../test/rig.ts';
import { connectBroker } from './broker.ts';
import { streamOf } from './stream-name.ts';

const names = ['a', 'b', 'c'];

/** Three servers that form a cluster, and can be stopped by their names. */
async function startCluster() {
  const folder = await mkdtemp(join(tmpdir(), 'crm-cluster-'));
  const ports = new Map<string, { readonly client: number; readonly cluster: number }>();
  for (const name of names) ports.set(name, { client: await reservePort(), cluster: await reservePort() });
  const routes = [...ports.values()].map(({ cluster }) => `"nats://127.0.0.1:${cluster}"`).join(', ');
  const running = new Map<string, EmbeddedServer>();
  const start = async (name: string) => {
    const own = ports.get(name);
    if (!own) throw new Error(`There is no server ${name}.`);
    const lines = `cluster { name: crm, listen: "127.0.0.1:${own.cluster}", routes: [${routes}] }`;
    const options = { dataDir: join(folder, name), port: own.client, serverName: name, lines };
    running.set(name, await startNats(options));
  };
  await Promise.all(names.map(start));
  onTestFinished(async () => {
    await Promise.all([...running.values()].map((server) => server.stop()));
    await rm(folder, { recursive: true });
  });
  return {
    url: [...ports.values()].map(({ client }) => `nats://127.0.0.1:${client}`).join(','),
    stop: async (name: string) => running.get(name)?.stop(),
    async restartAll() {
      await Promise.all([...running.values()].map((server) => server.stop()));
      await Promise.all(names.map(start));
    },
  };
}

/** A publisher with its relay, and a consumer that has `count` events when `arrived(count)` resolves. */
async function publishing() {
  const [publisher, consumer] = [await createService('publisher'), await createService('consumer')];
  const cluster = await startCluster();
  const broker = connectBroker({ url: cluster.url, name: 'test', log, replicas: 3, retryMs: 100 });
  onTestFinished(() => broker.close());
  consume(consumer, broker, [countsRenamed(publisher)]);
  const sending = relay(publisher, broker);
  const arrived = async (count: number) =>
    expect(
      await eventually(
        () => effects(consumer),
        (all) => all.length === count,
        100_000,
      ),
    ).toEqual(Array.from({ length: count }, (_, index) => `event ${index}`));
  await rename(publisher, { id: 1, name: 'event 0' });
  await arrived(1);
  return { publisher, cluster, broker, sending, arrived };
}

it('events stored on three servers survive the loss of the one that leads', async () => {
  const { publisher, cluster, broker, arrived } = await publishing();
  const { streams } = broker.session().jsm;
  const { config, cluster: state } = await streams.info(streamOf(publisher.service));
  expect(config.num_replicas).toBe(3);
  await cluster.stop(String(state?.leader));
  await rename(publisher, { id: 2, name: 'event 1' });
  await arrived(2);
});

it('a restart of all servers after one of a publisher is not taken for a loss of its events', async () => {
  const { publisher, cluster, broker, sending, arrived } = await publishing();
  await sending.stop();
  relay(publisher, broker);
  await rename(publisher, { id: 2, name: 'event 1' });
  await arrived(2);
  await cluster.restartAll();
  await rename(publisher, { id: 3, name: 'event 2' });
  await arrived(3);
  expect(await lostAt(publisher)).toBeNull();
});
