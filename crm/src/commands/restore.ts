import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate } from '@crm/data';
import { connectTo } from '../backup/dump-service.ts';
import { checkFiles, loadService } from '../backup/load-service.ts';
import { type Manifest, readManifest, secretFiles } from '../backup/manifest.ts';
import type { Report } from '../command-line.ts';
import { pathOf } from '../path-of.ts';
import { type Urls, withDatabases } from '../start/with-databases.ts';
import { dataFolderOf, makeDataFolder, readIfExists, writePrivate } from '../system/data-folder.ts';
import { inOrder, type ServiceName, serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import { isAlive, readSystemFile } from '../system/system-file.ts';
import { Unable } from '../system/unable.ts';

/**
 * Restores a backup into an empty system that does not run. The relays then publish the events of the last fortnight to
 * the new broker, and consumers ignore those that they had handled.
 */
export async function restore(env: NodeJS.ProcessEnv, given: string): Promise<Report> {
  const source = pathOf(given, env);
  const manifest = readManifest(source);
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  demandStopped(folder);
  const missing = serviceNames.filter((name) => !manifest.services[name]);
  if (missing.length > 0) throw new Unable('NoBackup', `The backup lacks ${missing.join(', ')}.`);
  for (const name of serviceNames) await checkFiles(source, name, manifest.services[name]);
  const withheld = await withDatabases(env, folder, async (urls) => {
    for (const name of serviceNames) await demandEmpty(urls[name], name);
    // Only now: a database that is in use must not get the keys of the backup.
    restoreSecrets(source, folder);
    return restoreAll(urls, manifest, source);
  });
  const count = Object.values(withheld).reduce((sum, one) => sum + one, 0);
  return {
    json: { restored: source, created_at: manifest.created_at, withheld },
    text: `The system is as it was at ${manifest.created_at}. ${count} messages that were due since then are marked as failed, because they may have been sent. Start the system with \`npm start\`.`,
  };
}

function restoreAll(urls: Urls, { services }: Manifest, source: string) {
  return inOrder(async (name) => {
    const backup = services[name];
    const store = stores[name];
    const known = store.migrations.filter((migration) => backup.migrations.includes(migration.name));
    if (known.length < backup.migrations.length)
      throw new Unable('NoBackup', `The backup of ${name} was made by a newer version. Use that version.`);
    await migrate(urls[name], { ...store, migrations: known });
    const client = await connectTo(urls[name], store.schema);
    try {
      return await loadService(client, source, name, backup, store);
    } finally {
      await client.end();
    }
  });
}

function demandStopped(folder: string) {
  const system = readSystemFile(folder);
  if (system && isAlive(system.pid))
    throw new Unable('AlreadyRunning', `A system runs in ${folder} (process ${system.pid}). Stop it first.`);
}

async function demandEmpty(url: string, name: ServiceName) {
  const client = await connectTo(url, stores[name].schema);
  try {
    const { rows } = await client.query("select to_regclass('migrations') is null as is_empty");
    if (rows[0]?.is_empty) return;
  } finally {
    await client.end();
  }
  throw new Unable(
    'NotEmpty',
    `The database of ${name} is in use. Restore into a new folder (CRM_DATA_DIR) or a new database (DATABASE_URL).`,
  );
}

/** With other keys, links in messages and tokens of sub-accounts would end, so a folder with others is refused. */
function restoreSecrets(source: string, folder: string) {
  for (const name of secretFiles) {
    const file = join(source, name);
    if (!existsSync(file)) continue;
    const saved = readFileSync(file, 'utf8');
    const present = readIfExists(join(folder, name));
    if (present !== undefined && present !== saved)
      throw new Unable('NotEmpty', `${join(folder, name)} has other keys than the backup. Use a new folder.`);
    writePrivate(join(folder, name), saved);
  }
}
