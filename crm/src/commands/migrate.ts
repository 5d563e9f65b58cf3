import { migrate } from '@crm/data';
import type { Report } from '../command-line.ts';
import { withDatabases } from '../start/with-databases.ts';
import { dataFolderOf, makeDataFolder } from '../system/data-folder.ts';
import { forEachService, serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';

/**
 * Migrates all schemas, whether or not the system is running. In containers it runs before every crm command, even after one that
 * was interrupted.
 */
export async function migrateAll(env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  const applied = await withDatabases(env, folder, (urls) =>
    forEachService((name) => migrate(urls[name], stores[name], { during: 'withhold' })),
  );
  const lines = serviceNames.map((name) => `${name}: ${applied[name].join(', ') || 'up to date'}`);
  return { json: { applied }, text: lines.join('\n') };
}
