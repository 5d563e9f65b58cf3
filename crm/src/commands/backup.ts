import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beginTogether } from '../backup/begin-together.ts';
import { dumpService } from '../backup/dump-service.ts';
import { type Manifest, secretFiles, writeManifest } from '../backup/manifest.ts';
import type { Report } from '../command-line.ts';
import { pathOf } from '../path-of.ts';
import { type Clients, withClients } from '../start/with-clients.ts';
import { withDatabases } from '../start/with-databases.ts';
import { dataFolderOf, makeDataFolder } from '../system/data-folder.ts';
import { demandKeysOfDatabase } from '../system/keys-of-database.ts';
import { keysFile } from '../system/secrets.ts';
import { inOrder, serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';

/**
 * Writes a backup of all services and their keys to a new folder, whether or not the system is running. Services in one database
 * are saved as of the same moment.
 */
export async function backUp(env: NodeJS.ProcessEnv, given: string): Promise<Report> {
  const target = pathOf(given, env);
  if (existsSync(target)) throw new Unable('Usage', `${target} already exists. Name a new folder.`);
  const folder = dataFolderOf(env);
  makeDataFolder(folder);
  // With an external database, the command would otherwise find all data and no keys.
  if (!existsSync(join(folder, keysFile)))
    throw new Unable(
      'Configuration',
      `${folder} has no ${keysFile}, without which links and tokens in the data stop working. Set CRM_DATA_DIR to the folder that has it.`,
    );
  const draft = `${target}.incomplete`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const manifest = await withDatabases(env, folder, async (urls) => {
    await demandKeysOfDatabase(urls.identity, folder);
    return withClients(urls, (clients) => dumpAll(clients, draft));
  });
  for (const name of secretFiles)
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(draft, name));
  writeManifest(draft, manifest);
  renameSync(draft, target);
  const rows = Object.values(manifest.services).flatMap(({ tables }) =>
    Object.values(tables).map((table) => table.rows),
  );
  const total = rows.reduce((sum, count) => sum + count, 0);
  return {
    json: { folder: target, created_at: manifest.created_at, rows: total },
    text: `${total} rows of ${serviceNames.length} services, and their keys, are in ${target}. Keep it as secret as the system itself.`,
  };
}

async function dumpAll(clients: Clients, folder: string): Promise<Manifest> {
  const created_at = await beginTogether(Object.values(clients));
  const services = await inOrder((name) => dumpService(clients[name], name, folder));
  return { format: 1, created_at, services };
}
