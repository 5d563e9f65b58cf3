import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unfinishedIn } from '@crm/data';
import { demandAlone, demandEmptyNats, demandStopped } from '../backup/demand-unused.ts';
import { isEmpty, markAll, totalOf, withholdAll } from '../backup/withhold.ts';
import type { Report } from '../command-line.ts';
import { type Clients, withClients } from '../start/with-clients.ts';
import { areDatabasesConfigured, withDatabases } from '../start/with-databases.ts';
import { dataFolderOf } from '../system/data-folder.ts';
import { type ServiceName, serviceNames } from '../system/services.ts';
import { stores } from '../system/stores.ts';
import { Unable } from '../system/unable.ts';

/**
 * Does for databases that were restored to an earlier moment by other means what `crm restore` does for those that it loads:
 * nothing that may have been sent since then is sent again. The system must not have been started since.
 */
export async function withhold(env: NodeJS.ProcessEnv): Promise<Report> {
  const folder = dataFolderOf(env);
  demandStopped(folder);
  // Otherwise an empty database would be created there.
  if (!areDatabasesConfigured(env) && !existsSync(join(folder, 'postgres')))
    throw new Unable(
      'NoData',
      `${folder} has no database. Set CRM_DATA_DIR to the folder, or DATABASE_URL to the database, that was restored.`,
    );
  await demandEmptyNats(
    env,
    folder,
    'If the system was started after its databases were restored, it is too late to withhold anything. Otherwise delete the data of NATS: the services publish their events again.',
  );
  const withheld = await withDatabases(env, folder, (urls) =>
    withClients(urls, async (clients) => {
      await demandAlone(clients);
      await demandRestored(clients);
      await markAll(clients, 'withhold');
      return withholdAll(urls, clients, 'withhold');
    }),
  );
  return {
    json: { withheld },
    text: `${totalOf(withheld)} messages and bulk operations that were due are marked as failed, because they may have been sent or done. Start the system.`,
  };
}

async function demandRestored(clients: Clients): Promise<void> {
  const empty: ServiceName[] = [];
  for (const name of serviceNames) {
    if ((await unfinishedIn(clients[name], stores[name].schema)) === 'restore')
      throw new Unable('Unfinished', '`crm restore` was interrupted. Run it again: it also withholds them.');
    if (await isEmpty(clients[name])) empty.push(name);
  }
  if (empty.length === 0) return;
  throw new Unable('NoData', `The database of ${empty.join(', ')} has no data. Restore it first.`);
}
