import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { natsTrace } from './nats.ts';
import { stopOrphan } from './owned-process.ts';
import { isOwned } from './owner-lock.ts';
import { postgresTrace } from './postgres.ts';

/**
 * Stops the servers of a disposable data folder whose owner was killed, and deletes the folder with its data. A folder with a
 * running owner is left alone.
 */
export async function removeAbandoned(dataDir: string): Promise<boolean> {
  const folders = ['postgres', 'nats'].map((server) => join(dataDir, server)).filter(existsSync);
  if (folders.some(isOwned)) return false;
  for (const folder of folders.map((path) => realpathSync(path))) {
    await stopOrphan(folder, folder.endsWith('nats') ? natsTrace(folder) : postgresTrace(folder));
  }
  rmSync(dataDir, { recursive: true, force: true });
  return true;
}
