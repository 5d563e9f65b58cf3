import { loadavg } from 'node:os';
import { join } from 'node:path';
import { compareAnswers } from './compare-answers.ts';
import { openDataFolder, readKept } from './data-folder.ts';
import { measure } from './measure.ts';
import type { Options } from './options.ts';
import { conditionsOf } from './report/conditions.ts';
import { writeReport } from './report/write-report.ts';
import { withDatabase } from './seed/database.ts';
import { restore } from './seed/restore.ts';
import { sizeOf } from './seed/rows.ts';
import { seedSystem } from './seed/seed-system.ts';
import { startSystem } from './start-system.ts';
import { startTargets, type Target } from './targets.ts';

/** Starts everything, compares the answers, measures, writes the report and stops everything. */
export async function run(
  folder: string,
  options: Options,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<number> {
  await using cleanup = new AsyncDisposableStack();
  const [load = 0] = loadavg();
  const project = join(folder, '..');
  const data = openDataFolder(options.keep, cleanup);
  const kept = readKept(data, options.contacts);
  say(`Starting the system in ${data}.`);
  const system = await startSystem(project, data, options.shape, env);
  cleanup.defer(system.stop);
  const agents = await seedSystem(system, data, kept, options.contacts, say);
  signal.throwIfAborted();
  const targets = await startTargets(folder, system, options.peers, env, cleanup);
  const size = sizeOf(options.contacts);
  const restoreOf = ({ schema }: Pick<Target, 'schema'>) =>
    withDatabase(system.databaseUrl, (db) => restore(db, schema, size));
  const restoreAll = async () => {
    await restoreOf({ schema: 'contacts' });
    await restoreOf({ schema: 'peers' });
  };
  await restoreAll();
  const { requests, differences } = await compareAnswers(targets, agents);
  await restoreAll();
  for (const difference of differences.slice(0, 20)) say(difference);
  say(`${requests} answers compared, ${differences.length} differences.`);
  if (differences.length > 0) return 1;
  if (options.checkOnly) return 0;
  const { databaseUrl, postmasterPid } = system;
  const ground = { targets, agents, databaseUrl, postmasterPid, restore: restoreOf, signal, say };
  const measurements = await measure(ground, options);
  const conditions = conditionsOf(options, load, system.versions);
  writeReport(join(project, 'docs'), measurements, { shape: options.shape, conditions }, say);
  return measurements.some(({ errors }) => errors.length > 0) ? 1 : 0;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
