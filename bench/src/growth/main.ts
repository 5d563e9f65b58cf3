// How much slower reads become as contacts grow: npm run bench:growth [-- --contacts 10000,1000000 --requests 300 --keep DIR]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDataFolder } from '../data-folder.ts';
import { machineText } from '../report/conditions.ts';
import { type OurSystem, startSystem } from '../start-system.ts';
import { measureGrowth, type SeededSystem } from './measure-growth.ts';
import { growthSize } from './people.ts';
import type { Viewer } from './requests.ts';
import { seedGrowth } from './seed-growth.ts';
import { writeGrowth } from './write-growth.ts';

const { values } = parseArgs({
  options: {
    contacts: { type: 'string', default: '10000,1000000,10000000' },
    requests: { type: 'string', default: '300' },
    keep: { type: 'string' },
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
await using running = new AsyncDisposableStack();

/** Starts a system with so many contacts, which it gets, or has from an earlier run. */
async function seededSystem(contacts: number, parent: string): Promise<SeededSystem> {
  const data = join(parent, String(contacts));
  const system = await startSystem(project, data, 'one', process.env);
  running.defer(system.stop);
  versions = system.versions;
  return { url: system.url, viewers: await viewersOf(system, contacts, join(data, 'growth.json')) };
}

async function viewersOf(system: OurSystem, contacts: number, file: string): Promise<Viewer[]> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Viewer[];
  const started = performance.now();
  const viewers = await seedGrowth(system, growthSize(contacts), stop.signal);
  writeFileSync(file, JSON.stringify(viewers), { mode: 0o600 });
  say(`${contacts} contacts seeded in ${((performance.now() - started) / 1_000).toFixed(0)} s.`);
  return viewers;
}

const parent = openDataFolder(values.keep, running);
const systems: SeededSystem[] = [];
for (const size of sizes) systems.push(await seededSystem(size, parent));
const rows = await measureGrowth(systems, Number(values.requests), stop.signal);
for (const { viewer, request, times } of rows)
  say(`${viewer}, ${request}: ${times.map(({ p50 }) => p50.toFixed(1)).join(', ')} ms`);
writeGrowth(
  join(project, 'docs', 'performance.md'),
  sizes,
  rows,
  machineText(load, versions),
  `${values.requests} requests each, one after the other to each system in turns`,
);
