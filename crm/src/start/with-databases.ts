import { startPostgres } from '@crm/embedded';
import { isRunning } from '../system/is-running.ts';
import { type ServiceName, serviceNames } from '../system/services.ts';
import { readSystemFile } from '../system/system-file.ts';
import { databasesOf } from './infrastructure.ts';
import { readDatabaseConfig } from './start-config.ts';

export type Urls = Readonly<Record<ServiceName, string>>;

/** Whether the databases are elsewhere, rather than in the data folder. */
export function areDatabasesConfigured(env: NodeJS.ProcessEnv): boolean {
  const { databaseUrl, databaseUrls } = readDatabaseConfig(env);
  return databaseUrl !== undefined || serviceNames.every((name) => databaseUrls[name]);
}

/** The databases of the running system, the configured ones, or those of a PostgreSQL that runs only for the work. */
export async function withDatabases<Value>(
  env: NodeJS.ProcessEnv,
  folder: string,
  work: (urls: Urls) => Promise<Value>,
): Promise<Value> {
  const config = readDatabaseConfig(env);
  if (areDatabasesConfigured(env)) return work(await databasesOf(config, config.databaseUrl));
  const system = readSystemFile(folder);
  if (system && isRunning(system)) return work(system.databaseUrls);
  const postgres = await startPostgres({ dataDir: folder });
  try {
    return await work(await databasesOf(config, postgres.url));
  } finally {
    await postgres.stop();
  }
}
