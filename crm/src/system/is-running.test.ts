import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTimeOf } from '@crm/embedded';
import { expect, it, onTestFinished } from 'vitest';
import { demandStopped } from '../backup/demand-unused.ts';
import { refuseSecond } from '../start/refuse-second.ts';
import { isRunning } from './is-running.ts';
import { eachService } from './services.ts';
import { type RunningSystem, writeSystemFile } from './system-file.ts';

const system: RunningSystem = {
  ...{ pid: process.pid, processStart: startTimeOf(process.pid), startedAt: '2026-03-01T09:00:00Z' },
  ...{ shape: 'one process', gateway: 'http://127.0.0.1:1', natsUrl: 'nats://127.0.0.1:4222' },
  services: eachService(() => 'http://127.0.0.1:3001'),
  databaseUrls: eachService(() => 'postgres://crm:secret@127.0.0.1:5432/crm'),
  versions: { node: '24.0.0' },
};

it('a killed system is not mistaken for an unrelated process that has its id now', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-killed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeSystemFile(folder, system);
  expect(isRunning(system)).toBe(true);
  expect(() => demandStopped(folder)).toThrow('Stop it first');
  const killed = { ...system, processStart: '1' };
  writeSystemFile(folder, killed);
  expect(isRunning(killed)).toBe(false);
  expect(() => demandStopped(folder)).not.toThrow();
  expect(await refuseSecond(folder)).toEqual({ wasKilled: true });
});
