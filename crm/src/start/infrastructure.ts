import { provisionRole } from '@crm/data/provision';
import { type EmbeddedServer, startNats, startPostgres } from '@crm/embedded';
import { brokerUsers } from '@crm/messaging/broker-users';
import { createLog } from '@crm/service/process';
import { type BrokerUrls, brokerUsersOf, forEachUser, withUsers } from '../system/broker-urls.ts';
import { forEachService, type ServiceName, serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import type { Progress } from './progress.ts';
import type { Plan } from './shape.ts';
import type { StartConfig } from './start-config.ts';

export interface Infrastructure {
  readonly databaseUrls: Readonly<Record<ServiceName, string>>;
  /** With the user of each service, and of the crm command. */
  readonly natsUrls: BrokerUrls;
  readonly versions: { readonly postgres?: string; readonly nats?: string };
}

/** Starts the servers that are not configured. Calls `started` for each, even if a later step fails. */
export async function startInfrastructure(
  { config, secrets, progress }: Pick<Plan, 'config' | 'secrets' | 'progress'>,
  started: (server: EmbeddedServer) => void,
): Promise<Infrastructure> {
  const lines = brokerUsers(brokerUsersOf(secrets));
  const launch = (name: string, start: typeof startNats) =>
    progress.step(
      name,
      async () => {
        const options = { dataDir: config.folder, keepRunning: true, onRestart: progress.note };
        const server = await start({ ...options, ...(start === startNats && { lines }) });
        started(server);
        return server;
      },
      ({ version, port }) => `${version} on 127.0.0.1:${port}`,
    );
  const needsPostgres = !config.databaseUrl && serviceNames.some((name) => !config.databaseUrls[name]);
  const starting = [
    needsPostgres ? launch('PostgreSQL', startPostgres) : undefined,
    config.natsUrl === undefined ? launch('NATS', startNats) : undefined,
  ] as const;
  if (config.natsUrl !== undefined) await checkBroker(config.natsUrl, progress);
  // Wait for both even if one fails, so that the other can be stopped.
  await Promise.allSettled(starting);
  const [postgres, nats] = await Promise.all(starting);
  const admin = config.databaseUrl ?? postgres?.url;
  const databaseUrls = await progress.step(
    'Schemas',
    () => databasesOf(config, admin),
    () => 'one per service',
  );
  return {
    databaseUrls,
    natsUrls: nats ? withUsers(nats.url, secrets) : forEachUser(() => config.natsUrl ?? ''),
    versions: { ...(postgres && { postgres: postgres.version }), ...(nats && { nats: nats.version }) },
  };
}

/** The services start without the broker, but the operator should know that events wait. */
async function checkBroker(url: string, progress: Progress): Promise<void> {
  const { connectBroker } = await import('@crm/messaging/broker');
  const broker = connectBroker({ url, name: 'crm-start', log: createLog('crm', 'silent') });
  await broker
    .ready(3_000)
    .catch(() => progress.note('The broker at NATS_URL is unavailable. Events wait until it responds.'));
  await broker.close();
}

/** The database URL of each service: the configured one, or that of a role created for it. */
export function databasesOf(
  { databaseUrls }: Pick<StartConfig, 'databaseUrls'>,
  admin: string | undefined,
): Promise<Record<ServiceName, string>> {
  return forEachService(async (name) => {
    const own = databaseUrls[name];
    if (own !== undefined) return own;
    if (admin === undefined) throw new Error(`No database is configured for ${name}.`);
    return provisionRole(admin, name.replaceAll('-', '_')).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Unable(
        'Database',
        `The role for ${name} cannot be created in the database of DATABASE_URL: ${reason}`,
      );
    });
  });
}
