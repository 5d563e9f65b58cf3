import { isRunning } from '../system/is-running.ts';
import { readSystemFile } from '../system/system-file.ts';
import { Unable } from '../system/unable.ts';
import { responds } from './responds.ts';

/**
 * Throws if a system is already running in the data folder. A process that does not respond is about to end, and the ports wait
 * for it. Returns whether the last system of the folder was killed.
 */
export async function refuseSecond(folder: string): Promise<{ wasKilled: boolean }> {
  const system = readSystemFile(folder);
  if (!system) return { wasKilled: false };
  if (!isRunning(system) || !(await responds(`${system.gateway}/healthz`))) return { wasKilled: true };
  throw new Unable(
    'AlreadyRunning',
    `A system is already running in ${folder}, at ${system.gateway} (process ${system.pid}). Stop it, or set CRM_DATA_DIR to another folder and PORT to other ports.`,
  );
}
