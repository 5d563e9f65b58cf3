import { join } from 'node:path';
import { streamsStoredIn } from '@crm/embedded';
import { servicesWithStreams } from '@crm/messaging';
import { readEnvironment, variables } from '@crm/service/process';
import type { Clients } from '../start/with-clients.ts';
import { isRunning } from '../system/is-running.ts';
import { serviceNames } from '../system/services.ts';
import { readSystemFile } from '../system/system-file.ts';
import { Unable } from '../system/unable.ts';
import { withBroker } from '../system/with-broker.ts';

export function demandStopped(folder: string): void {
  const system = readSystemFile(folder);
  if (system && isRunning(system))
    throw new Unable(
      'AlreadyRunning',
      `A system is running in ${folder} (process ${system.pid}). Stop it first.`,
    );
}

/**
 * Throws if another `crm restore` or `crm withhold` works on a database, and keeps others away until the connections end. The
 * first of two that ends would otherwise let services start on what the second one has not loaded yet.
 */
export async function demandAlone(clients: Clients): Promise<void> {
  for (const name of serviceNames) {
    const { rows } = await clients[name].query<{ locked: boolean }>(
      "select pg_try_advisory_lock(hashtext('crm.restore'), hashtext($1)) as locked",
      [name],
    );
    if (!rows[0]?.locked)
      throw new Unable(
        'AlreadyRunning',
        `Another \`crm restore\` or \`crm withhold\` already works on the database of ${name}. Wait until it has ended, or end it and repeat this command.`,
      );
  }
}

/**
 * Throws if NATS has streams of the services, in the data folder or at `NATS_URL`. Their events would be mistaken for those of
 * the restored data: some of those would not be published again, and others are about records that do not exist. Streams also
 * show that the system was started, after which it is too late to withhold anything.
 */
export async function demandEmptyNats(env: NodeJS.ProcessEnv, folder: string, advice: string): Promise<void> {
  const { NATS_URL } = readEnvironment({ NATS_URL: variables.natsUrl.optional() }, env);
  const found = NATS_URL === undefined ? streamsStoredIn(folder) : await servicesAt(NATS_URL);
  if (found.length === 0) return;
  const where = NATS_URL === undefined ? join(folder, 'nats') : 'NATS at NATS_URL';
  throw new Unable('NotEmpty', `${where} has streams of ${found.join(', ')}. ${advice}`);
}

async function servicesAt(url: string): Promise<readonly string[]> {
  return withBroker(url, (broker) => servicesWithStreams(broker, serviceNames)).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Unable(
      'Broker',
      `NATS at NATS_URL does not respond, and may have streams: ${reason} Start it, or correct NATS_URL.`,
    );
  });
}
