import { provisionRole } from '@crm/data/provision';
import { type EmbeddedServer, type ServerOptions, startNats, startPostgres } from '@crm/embedded';
import { brokerUsers } from '@crm/messaging/broker-users';
import { createLog } from '@crm/service/process';
import { brokerUsersOf, forEachUser, withUsers } from '../system/broker-urls.ts';
import { forEachService, type ServiceName, serviceNames } from '../system/services.ts';
import { Unable } from '../system/unable.ts';
import type { Progress } from './progress.ts';
import type { Infrastructure, Plan } from './shape.ts';
import type { StartConfig } from './start-config.ts';

interface Events {
  /** Called for each server that runs, even if a later step fails. */
  readonly started: (server: EmbeddedServer) => void;
  /** Called once, when all servers have been launched but are not ready yet. */
  readonly launched: () => void;
}

/** Starts the servers that are not configured. */
export async function startInfrastructure(
  { config, secrets, progress }: Pick<Plan, 'config' | 'secrets' | 'progress'>,
  { started, launched }: Events,
): Promise<Infrastructure> {
  const lines = brokerUsers(brokerUsersOf(secrets));
  const launch = launcher(config.folder, progress, started);
  const needsPostgres = !config.databaseUrl && serviceNames.some((name) => !config.databaseUrls[name]);
  const launches = [
    needsPostgres ? launch('PostgreSQL', startPostgres) : undefined,
    config.natsUrl === undefined ? launch('NATS', (options) => startNats({ ...options, lines })) : undefined,
  ] as const;
  void Promise.all(launches.map((one) => one?.hasLaunched)).then(launched);
  if (config.natsUrl !== undefined) await checkBroker(config.natsUrl, progress);
  // Waits for both even if one fails, so that the other can be stopped.
  await Promise.allSettled(launches.map((one) => one?.server));
  const postgres = await launches[0]?.server;
  const nats = await launches[1]?.server;
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

function launcher(dataDir: string, progress: Progress, started: Events['started']) {
  return (name: string, start: (options: ServerOptions) => Promise<EmbeddedServer>) => {
    const { promise: hasLaunched, resolve: onLaunch } = Promise.withResolvers<void>();
    const run = async () => {
      const server = await start({ dataDir, keepRunning: true, onLaunch, onRestart: progress.note });
      started(server);
      return server;
    };
    const server = progress.step(name, run, ({ version, port }) => `${version} on 127.0.0.1:${port}`);
    return { hasLaunched, server };
  };
}

/** The services also start without the broker, but the operator should know that events wait. */
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
