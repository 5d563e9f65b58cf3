// How long a system takes to start again: node bench/src/starts/main.ts [--shape processes] [--rounds 10] [--project DIR]
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuTimes } from '../cpu.ts';
import { spreadOf } from '../ratios.ts';
import { startSystem } from '../start-system.ts';

const { values } = parseArgs({
  options: {
    shape: { type: 'string', default: 'one' },
    rounds: { type: 'string', default: '10' },
    /** Another checkout, to compare with. */
    project: { type: 'string', default: fileURLToPath(new URL('../../..', import.meta.url)) },
  },
});
const shape = values.shape === 'processes' ? 'processes' : 'one';

/** Until the system says that it is ready. */
async function startOnce(folder: string) {
  const began = performance.now();
  const system = await startSystem(values.project, folder, shape, process.env);
  const elapsed = Math.round(performance.now() - began);
  const { server, postgres, nats } = cpuTimes(system.pid, system.postmasterPid);
  await system.stop();
  return { elapsed, server, postgres, nats };
}

await using cleanup = new AsyncDisposableStack();
const parent = mkdtempSync(join(tmpdir(), 'crm-starts-'));
cleanup.defer(() => rmSync(parent, { recursive: true, force: true }));
// PostgreSQL may run as another user, which has to pass through.
chmodSync(parent, 0o711);
const folder = join(parent, 'data');
await startOnce(folder);
const starts = [];
for (let round = 0; round < Number(values.rounds); round++) starts.push(await startOnce(folder));
for (const name of ['elapsed', 'server', 'postgres', 'nats'] as const) {
  const { median, lowest, highest } = spreadOf(starts.map((one) => one[name]));
  process.stdout.write(`${name.padEnd(10)} ${median} ms (${lowest} to ${highest})\n`);
}
process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`);
