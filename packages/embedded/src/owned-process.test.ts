import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startOwned } from './owned-process.ts';
import { isRunning } from './running-process.ts';

it('stops a server whose pid cannot be stored, as on a full disk, so that the next one can start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'crm-owned-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const pidFile = join(folder, 'server.pid');
  mkdirSync(pidFile);
  const args = ['-e', 'console.log(process.pid); setInterval(() => {}, 1_000)', folder];
  const command = { file: process.execPath, args };
  await expect(startOwned(folder, command, [['SIGTERM', 5]])).rejects.toThrow('EISDIR');
  rmSync(pidFile, { recursive: true });
  const next = await startOwned(folder, command, [['SIGTERM', 5]]);
  onTestFinished(next.stop);
  await expect.poll(next.log).toMatch(/^\d+$/m);
  const pids = next.log().trim().split('\n').map(Number);
  const work = { program: 'node', path: folder };
  expect(pids.filter((pid) => isRunning(pid, work))).toEqual([next.pid]);
});
