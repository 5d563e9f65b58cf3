import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, unfinishedIn } from '@crm/data';
import { demandAlone, demandEmptyNats, demandStopped } from '../backup/demand-unused.ts';
import { checkFiles, loadService } from '../backup/load-service.ts';
import { type Manifest, readManifest, type ServiceBackup, secretFiles } from '../backup/manifest.ts';
import { isEmpty, markAll, totalOf, withholdAll } from '../backup/withhold.ts';
import type { Report } from '../command-line.ts';
import { pathOf } from '../path-of.ts';
import { type Clients, withClients } from '../start/with-clients.ts';
import { type Urls, withDatabases } from '../start/with-databases.ts';
import { dataFolderOf, makeDataFolder, readIfExists, writePrivate } from '../system/data-folder.ts';
import { type ServiceName, serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import { Unable } from '../system/unable.ts';

/**
 * Restores a backup into an empty system that is not running, or over an interrupted restore. The relays then publish the events
 * of the last two weeks to the new broker, and consumers ignore those that they have already handled.
 */
export async function restore(env: NodeJS.ProcessEnv, given: string): Promise<Report> {
  const source = pathOf(given, env);
  const manifest = readManifest(source);
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  demandStopped(folder);
  const missing = serviceNames.filter((name) => !manifest.services[name]);
  if (missing.length > 0) throw new Unable('NoBackup', `The backup lacks ${missing.join(', ')}.`);
  for (const name of serviceNames) demandKnown(manifest.services[name], name);
  for (const name of serviceNames) await checkFiles(source, name, manifest.services[name]);
  await demandEmptyNats(
    env,
    folder,
    'Restore into a new folder (CRM_DATA_DIR), or with a NATS without data (NATS_URL).',
  );
  const withheld = await withDatabases(env, folder, (urls) =>
    withClients(urls, async (clients) => {
      await demandAlone(clients);
      await demandEmpty(clients);
      // Not earlier: a database in use must not get the keys of the backup.
      restoreSecrets(source, folder);
      return restoreAll(urls, clients, manifest, source);
    }),
  );
  return {
    json: { restored: source, created_at: manifest.created_at, withheld },
    text: `The system is as it was at ${manifest.created_at}. ${totalOf(withheld)} messages and bulk operations that were due since then are marked as failed, because they may have been sent or done. Start the system with \`npm start\`.`,
  };
}

/** The schemas are marked until all of them are restored, so that no service starts with a part of the data. */
async function restoreAll(urls: Urls, clients: Clients, { services }: Manifest, source: string) {
  await markAll(clients, 'restore');
  for (const name of serviceNames) {
    const store = stores[name];
    const known = store.migrations.filter((one) => services[name].migrations.includes(one.name));
    await migrate(urls[name], { ...store, migrations: known }, { during: 'restore' });
    await loadService(clients[name], source, name, services[name]);
  }
  return withholdAll(urls, clients, 'restore');
}

function demandKnown({ migrations }: ServiceBackup, name: ServiceName) {
  const known = new Set(stores[name].migrations.map((migration) => migration.name));
  if (migrations.every((migration) => known.has(migration))) return;
  throw new Unable('NoBackup', `The backup of ${name} was made by a newer version. Use that version.`);
}

/** The data of an interrupted restore is loaded again: no service can have started with it. */
async function demandEmpty(clients: Clients) {
  const used: ServiceName[] = [];
  for (const name of serviceNames) {
    const { schema } = stores[name];
    if ((await unfinishedIn(clients[name], schema)) === 'restore') return;
    if (!(await isEmpty(clients[name]))) used.push(name);
  }
  if (used.length === 0) return;
  throw new Unable(
    'NotEmpty',
    `The database of ${used.join(', ')} is in use. Restore into a new folder (CRM_DATA_DIR) or a new database (DATABASE_URL).`,
  );
}

/** With other keys, links in messages and tokens of sub-accounts would stop working, so a folder with other keys is refused. */
function restoreSecrets(source: string, folder: string) {
  for (const name of secretFiles) {
    const file = join(source, name);
    if (!existsSync(file)) continue;
    const saved = readFileSync(file, 'utf8');
    const present = readIfExists(join(folder, name));
    if (present !== undefined && present !== saved)
      throw new Unable(
        'NotEmpty',
        `The keys in ${join(folder, name)} differ from those in the backup. Use a new folder.`,
      );
    writePrivate(join(folder, name), saved);
  }
}
