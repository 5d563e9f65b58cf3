import { appendFileSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startNats } from './index.ts';

it('NATS writes again after its disk was full', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'crm-embedded-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const steps: string[] = [];
  const onRestart = (step: string) => void steps.push(step);
  const broker = await startNats({ dataDir, keepRunning: true, onRestart });
  onTestFinished(broker.stop);
  const { pid } = broker;
  // NATS remembers this error, and refuses to write until it is restarted.
  appendFileSync(join(dataDir, 'nats/server.log'), '[ERR] JetStream failed: no space left on device\n');
  await expect.poll(() => steps.at(-1), { timeout: 60_000 }).toBe('NATS is back.');
  expect(broker.pid).not.toBe(pid);
  // Its storage limit does not depend on the space that was free when it started.
  const { blocks, bsize } = statfsSync(dataDir);
  const limit = `max_file_store: ${Math.floor(0.75 * blocks * bsize)}`;
  expect(readFileSync(join(dataDir, 'nats/nats.conf'), 'utf8')).toContain(limit);
});
