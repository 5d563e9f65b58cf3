import { isAlive, readSystemFile } from '../system/system-file.ts';
import { Unable } from '../system/unable.ts';

/**
 * Refuses to start a second system in a data folder. The answer of the gateway counts and not the process id
 * alone, which after a crash may belong to another program. Answers whether one was killed here.
 */
export async function refuseSecond(folder: string): Promise<{ wasKilled: boolean }> {
  const system = readSystemFile(folder);
  if (!system) return { wasKilled: false };
  if (!isAlive(system.pid) || !(await answers(system.gateway))) return { wasKilled: true };
  throw new Unable(
    'AlreadyRunning',
    `The system in ${folder} already runs at ${system.gateway} (process ${system.pid}). Stop it, or set CRM_DATA_DIR to another folder and PORT to other ports.`,
  );
}

async function answers(gateway: string): Promise<boolean> {
  return fetch(`${gateway}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
