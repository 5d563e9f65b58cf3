import { migrate } from '@crm/data';
import { startPostgres } from '@crm/embedded';
import type { Report } from '../command-line.ts';
import { databasesOf } from '../start/infrastructure.ts';
import { readDatabaseConfig } from '../start/start-config.ts';
import { dataFolderOf, makeDataFolder } from '../system/data-folder.ts';
import { forEachService, type ServiceName, serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import { isAlive, readSystemFile } from '../system/system-file.ts';

/** Migrates all schemas, whether the system runs or not. */
export async function migrateAll(env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  const applied = await withDatabases(env, folder, (urls) =>
    forEachService((name) => migrate(urls[name], stores[name])),
  );
  const lines = serviceNames.map((name) => `${name}: ${applied[name].join(', ') || 'up to date'}`);
  return { json: { applied }, text: lines.join('\n') };
}

type Urls = Readonly<Record<ServiceName, string>>;

/** The databases of the running system, the configured ones, or those of a PostgreSQL that runs only for this. */
async function withDatabases<Value>(
  env: NodeJS.ProcessEnv,
  folder: string,
  work: (urls: Urls) => Promise<Value>,
): Promise<Value> {
  const config = readDatabaseConfig(env);
  const isConfigured =
    config.databaseUrl !== undefined || serviceNames.every((name) => config.databaseUrls[name]);
  if (isConfigured) return work(await databasesOf(config, config.databaseUrl));
  const system = readSystemFile(folder);
  if (system && isAlive(system.pid)) return work(system.databaseUrls);
  const postgres = await startPostgres({ dataDir: folder });
  try {
    return await work(await databasesOf(config, postgres.url));
  } finally {
    await postgres.stop();
  }
}
