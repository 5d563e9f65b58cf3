// Where Node spends the time of a request: npm run bench:profile [-- --contacts 200000 --keep DIR --cases get,create]
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@crm/embedded';
import { openDataFolder, readKept } from '../data-folder.ts';
import { measure } from '../measure.ts';
import { readOptions } from '../options.ts';
import { conditionsOf } from '../report/conditions.ts';
import { tableOf } from '../report/tables.ts';
import { withSection } from '../report/write-report.ts';
import { withDatabase } from '../seed/database.ts';
import { restore } from '../seed/restore.ts';
import { sizeOf } from '../seed/rows.ts';
import { seedSystem } from '../seed/seed-system.ts';
import { startSystem } from '../start-system.ts';
import { ourTarget } from '../targets.ts';
import { partNames, sharesOf } from './parts.ts';
import { recordProfile } from './record-profile.ts';

const common = ['--connections', '32', '--rounds', '1', '--seconds', '8', '--peers='];
const options = readOptions([...common, ...process.argv.slice(2)]);
const project = fileURLToPath(new URL('../../..', import.meta.url));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
const say = (line: string) => void process.stdout.write(`${line}\n`);
const [load = 0] = loadavg();

await using cleanup = new AsyncDisposableStack();
const data = openDataFolder(options.keep, cleanup);
const kept = readKept(data, options.contacts);
const inspector = await freePort(9_300);
const env = { ...process.env, NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` };
const system = await startSystem(project, data, 'one', env);
cleanup.defer(system.stop);
const agents = await seedSystem(system, data, kept, options.contacts, say);
const ground = {
  targets: [ourTarget(system)],
  agents,
  databaseUrl: system.databaseUrl,
  postmasterPid: system.postmasterPid,
  restore: () => withDatabase(system.databaseUrl, (db) => restore(db, 'contacts', sizeOf(options.contacts))),
  signal: stop.signal,
  say,
};

await ground.restore();
const rows: string[][] = [];
for (const name of options.cases) {
  const end = await recordProfile(inspector);
  const [measured] = await measure(ground, { ...options, cases: [name] });
  const shares = sharesOf(await end());
  if (!measured) continue;
  const times = partNames.map((part) => ((shares.get(part) ?? 0) * measured.serverCpu).toFixed(2));
  rows.push([name, measured.serverCpu.toFixed(2), ...times, measured.postgresCpu.toFixed(2)]);
}
const table = tableOf(['Case', 'Node', ...partNames, 'PostgreSQL'], rows);
const conditions = conditionsOf(options, load, system.versions);
const file = join(project, 'docs', 'performance.md');
const section = `Measured ${conditions}; 32 connections. Milliseconds of processor time per request.\n\n${table}`;
writeFileSync(file, withSection(readFileSync(file, 'utf8'), 'profile', section));
say(`\n${section}`);
