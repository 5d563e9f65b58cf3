import { globSync } from 'node:fs';
import { cp, mkdtemp, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type EmbeddedServer, startNats } from '@crm/embedded';
import { reservePort } from '@crm/testing';
import { onTestFinished } from 'vitest';

/** A broker for one test, which can be stopped and lose its data. */
export async function ownBroker() {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-broker-'));
  const port = await reservePort();
  let server: EmbeddedServer | undefined;
  const stop = async () => server?.stop();
  onTestFinished(async () => {
    await stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const messages = () => globSync(`${dataDir}/nats/jetstream/*/streams/*/msgs`);
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
    /** Makes a copy of the messages. The broker has to be stopped. */
    async copyMessages() {
      for (const folder of messages()) await cp(folder, join(dirname(folder), 'copy'), { recursive: true });
    },
    /** Puts the copy back, as a power cut leaves a disk that has not written the later ones. Consumers stay where they were. */
    async loseLaterMessages() {
      await stop();
      for (const folder of messages()) {
        await rm(folder, { recursive: true });
        await cp(join(dirname(folder), 'copy'), folder, { recursive: true });
      }
    },
    /** Cuts the end off each file of messages but the last, whose later messages the disk has written. */
    async loseMessagesBetween(bytes: number) {
      await stop();
      for (const folder of messages()) {
        const files = globSync(`${folder}/*.blk`).sort();
        for (const file of files.slice(0, -1)) await truncate(file, bytes);
        await rm(join(folder, 'index.db'), { force: true });
      }
    },
  };
}
