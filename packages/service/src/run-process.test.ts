import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const supervisor = fileURLToPath(new URL('../test/supervisor.ts', import.meta.url));

it('a process ends with its killed supervisor, although nobody reads its log any longer', async () => {
  const parent = spawn(process.execPath, [supervisor], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: parent.stdout }), 'line');
  const pid = Number(JSON.parse(String(line)).url);
  parent.kill('SIGKILL');
  try {
    await expect.poll(() => isRunning(pid)).toBe(false);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  }
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
