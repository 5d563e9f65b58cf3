import { createClient } from '@crm/client';
import { startCarriers } from '@crm/delivery/testing';
import { startNats, startPostgres } from '@crm/embedded';
import { identityApi } from '@crm/identity/api';
import { drainSeconds, variablePrefix } from '@crm/service/process';
import { faultyProxy } from '@crm/testing';
import { migratedDatabases, noLimits } from '../load/ground.ts';
import { type Instances, someInstances } from '../load/instances.ts';
import { spawnMain } from '../system/child-process.ts';
import { definitionsFor } from '../system/definitions.ts';
import { pastTheRules } from '../system/past-the-rules.ts';
import { environmentFor, newSecrets } from '../system/settings.ts';
import type { LogLine } from '../system/shape.ts';
import { openLedger } from './carrier.ts';
import { dataFolder } from './small-disk.ts';

export type System = Awaited<ReturnType<typeof openSystem>>;

export interface SystemOptions {
  readonly honoursKeys: boolean;
  /** Whether the data of the servers is on a disk that can be filled. */
  readonly hasSmallDisk: boolean;
  /** How often a process is killed when it passes one of the named points. */
  readonly crashChance: number;
  /** The checkout that the next process of a kind is started from; this one unless it is given. */
  readonly folderOf?: (name: string) => string | undefined;
  /** Told of what nobody asked for: a process that ended by itself, a fault in a log. */
  readonly note: (finding: string) => void;
  /** For how long processes that are asked to end wait for their clients; as in production unless it is given. */
  readonly drainSeconds?: number;
}

/** Each process but the first of a pair has a clock that is so much ahead or behind. */
const skewMs = 1_500;

const inside = 'test/faults/inside.ts';

/** Two instances of each service and two gateways, with a link that can be disturbed between any two of all that runs. */
export async function openSystem(cleanup: AsyncDisposableStack, options: SystemOptions) {
  const disk = await dataFolder(cleanup, options.hasSmallDisk);
  const kept = { dataDir: disk.folder, keepRunning: true };
  const starting = [
    startPostgres({ ...kept, settings: { max_wal_size: '128MB' } }),
    startNats(kept),
  ] as const;
  // At once, because somebody may interrupt the run while they start.
  for (const server of starting) cleanup.defer(async () => (await server).stop());
  const [postgres, nats] = await Promise.all(starting);

  const instances = new Map<string, Instances>();
  const link = async (target: Parameters<typeof faultyProxy>[0]) => {
    const proxy = await faultyProxy(target);
    cleanup.defer(proxy.close);
    return proxy;
  };
  /** In front of the instances of a service, each new connection to the next of them. */
  const balancer = (name: string) => {
    let turn = 0;
    return link(() => {
      const urls = instances.get(name)?.urls() ?? [];
      turn += 1;
      return urls[turn % urls.length];
    });
  };
  const gateways = await balancer('gateway');
  const carriers = await startCarriers(gateways.url, 1_000_000);
  cleanup.defer(carriers.close);
  const [carrierLink, mailLink] = [await link(carriers.delivery.carrier.url), await link(carriers.mail.url)];
  const { carrier, ...delivery } = carriers.delivery;
  const settings = {
    ...newSecrets(),
    delivery: {
      ...delivery,
      smtpUrl: mailLink.url,
      carrier: { ...carrier, url: carrierLink.url, honoursKeys: options.honoursKeys },
      rules: { ...delivery.rules, ...noLimits },
    },
  };
  const definitions = definitionsFor(settings);
  const urls = await migratedDatabases(postgres.url, settings);
  const natsLink = await link(nats.url);
  const links = new Map([
    ['carrier', carrierLink],
    ['mail server', mailLink],
    ['NATS', natsLink],
  ]);

  const start = async (name: string, script: string, env: Readonly<Record<string, string>>) => {
    let count = 0;
    const spawn = () => {
      count += 1;
      const skew = [0, skewMs, 0, -skewMs][count % 4] ?? 0;
      const faults = { CLOCK_SKEW_MS: String(skew), CRASH_CHANCE: String(options.crashChance) };
      const drain = { DRAIN_SECONDS: String(options.drainSeconds ?? drainSeconds) };
      const all = {
        HOST: '127.0.0.1',
        PORT: '0',
        ...drain,
        NODE_OPTIONS: `--import=./${inside}`,
        ...faults,
        ...env,
      };
      const listen = (line: LogLine) => {
        if (Number(line.level) >= 60 || line.msg === 'fault')
          options.note(`${name}: ${JSON.stringify(line)}`);
      };
      return spawnMain(script, all, listen, options.folderOf?.(name));
    };
    const note = (end: string) => options.note(`${name} ended by itself: ${end}`);
    instances.set(name, await someInstances(spawn, cleanup, 2, note));
  };
  const services: Record<string, string> = {};
  for (const { name } of definitions) {
    const database = await link(urls[name] ?? '');
    links.set(`the database of ${name}`, database);
    const own = { DATABASE_URL: database.url, NATS_URL: natsLink.url, ...environmentFor(name, settings) };
    await start(name, `services/${name}/src/main.ts`, { ...own, ...services });
    const between = await balancer(name);
    links.set(name, between);
    services[`${variablePrefix(name)}_URL`] = between.url;
  }
  const own = environmentFor('gateway', settings);
  await start('gateway', 'gateway/src/main.ts', { ...own, ...services, RATE_LIMITS: 'off' });

  const past = pastTheRules(definitions, postgres.url);
  cleanup.defer(past.close);
  const operator = createClient(identityApi, {
    url: services.IDENTITY_URL ?? '',
    token: settings.operatorToken,
  });
  return {
    carriers,
    disk,
    ledger: openLedger(carriers),
    definitions,
    /** The gateways that accept requests, and the balancer in front of them. */
    gateways: () => instances.get('gateway')?.urls() ?? [],
    gatewayUrl: gateways.url,
    instances,
    links,
    natsUrl: nats.url,
    operator,
    servers: { PostgreSQL: postgres, NATS: nats },
    ...past,
  };
}
