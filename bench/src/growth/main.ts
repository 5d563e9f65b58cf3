// How much slower reads become as contacts grow: npm run bench:growth [-- --contacts 10000,1000000 --requests 300]
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machineText } from '../report/conditions.ts';
import { startSystem } from '../start-system.ts';
import { measureGrowth, type Times } from './measure-growth.ts';
import { growthSize } from './people.ts';
import { seedGrowth } from './seed-growth.ts';
import { writeGrowth } from './write-growth.ts';

const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '10000,1000000,10000000' },
    requests: { type: 'string', default: '300' },
  },
});
const sizes = values.contacts.split(',').map(Number);
const wrong = sizes.find((size) => !(size >= 10_000 && size % 1_000 === 0));
if (wrong !== undefined)
  throw new Error('--contacts takes multiples of 1,000 from 10,000, with commas between.');

const project = fileURLToPath(new URL('../../..', import.meta.url));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const say = (line: string) => void process.stdout.write(`${line}\n`);
const [load = 0] = loadavg();
let versions: Readonly<Record<string, string>> = {};

/** Seeds a system of its own, which is removed afterwards, and measures it. */
async function measureSize(contacts: number): Promise<Times[]> {
  await using cleanup = new AsyncDisposableStack();
  const parent = mkdtempSync(join(tmpdir(), 'crm-growth-'));
  // PostgreSQL may run as another user, which has to pass through.
  chmodSync(parent, 0o711);
  cleanup.defer(() => rmSync(parent, { recursive: true, force: true }));
  const system = await startSystem(project, join(parent, 'data'), 'one', process.env);
  cleanup.defer(system.stop);
  versions = system.versions;
  const started = performance.now();
  const viewers = await seedGrowth(system, growthSize(contacts), stop.signal);
  say(`${contacts} contacts seeded in ${((performance.now() - started) / 1_000).toFixed(0)} s.`);
  const times = await measureGrowth(system.url, viewers, Number(values.requests), stop.signal);
  for (const { viewer, request, p50, p99 } of times)
    say(`${contacts}  ${viewer}, ${request}: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`);
  return times;
}

const measured: (readonly [number, Times[]])[] = [];
for (const size of sizes) measured.push([size, await measureSize(size)]);
writeGrowth(
  join(project, 'docs', 'performance.md'),
  measured,
  machineText(load, versions),
  `${values.requests} requests each, one after the other`,
);
