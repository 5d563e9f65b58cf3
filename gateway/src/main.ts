import {
  createLog,
  drainSeconds,
  gatewayPort,
  type RateLimits,
  rateLimitsOf,
  rateLimitVariables,
  readEnvironment,
  readServiceToken,
  readServiceUrl,
  runProcess,
  tracedService,
  variables,
} from '@crm/service/process';
import type { Logger } from 'pino';
import { createGateway } from './app.ts';
import { openCounters } from './request-counters.ts';
import { routes, webRoutes } from './routes.ts';
import { withServiceToken } from './with-service-token.ts';

const services = [...new Set([...routes, ...webRoutes].map(({ service }) => service))];

await runProcess(process.env, (level) => {
  const config = readEnvironment(
    {
      PORT: variables.port(0, 65_535).default(gatewayPort),
      HOST: variables.host.default('127.0.0.1'),
      PUBLIC_URL: variables.origin.optional(),
      TRUSTED_PROXIES: variables.networks.optional(),
      DRAIN_SECONDS: variables.seconds.default(drainSeconds),
      ...rateLimitVariables,
    },
    process.env,
  );
  const urls = new Map(services.map((service) => [service, readServiceUrl(service, process.env)]));
  const serviceToken = readServiceToken(process.env);
  const log = createLog('gateway', level);
  return {
    name: 'gateway',
    log,
    start: () => {
      const { HOST, PORT, PUBLIC_URL: publicUrl, TRUSTED_PROXIES, DRAIN_SECONDS } = config;
      const drainMs = DRAIN_SECONDS * 1_000;
      const clients = { publicUrl, trustedProxies: TRUSTED_PROXIES ?? [], rateLimits: rateLimitsOf(config) };
      return start({ urls, serviceToken }, { host: HOST, port: PORT, drainMs, ...clients }, log);
    },
  };
});

interface Listening {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string | undefined;
  readonly trustedProxies: readonly string[];
  readonly rateLimits: RateLimits | undefined;
  readonly drainMs: number;
}

interface Services {
  readonly urls: ReadonlyMap<string, string>;
  /** The gateway's credential for identity. */
  readonly serviceToken: string;
}

async function start(
  { urls, serviceToken }: Services,
  { publicUrl, trustedProxies, rateLimits, drainMs, ...listen }: Listening,
  log: Logger,
) {
  const remotes = new Map([...urls].map(([service, url]) => [service, tracedService(url)]));
  const services = Object.fromEntries([...remotes].map(([service, { call }]) => [service, call]));
  const identity = remotes.get('identity')?.call;
  if (!identity) throw new Error('No route belongs to identity, which authenticates requests.');
  const app = createGateway({
    services,
    ...withServiceToken(identity, serviceToken),
    publicUrl,
    trustedProxies,
    rateLimits,
    counters: await openCounters(rateLimits, log),
    log,
    drainMs,
    reachable: () => reachableOf(urls),
  });
  const url = await app.listen(listen);
  const close = async () => {
    await app.close();
    await Promise.all([...remotes.values()].map((remote) => remote.close()));
  };
  return { url, close };
}

async function reachableOf(urls: ReadonlyMap<string, string>): Promise<Record<string, boolean>> {
  const isReady = (url: string) =>
    fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  return Object.fromEntries(
    await Promise.all([...urls].map(async ([name, url]) => [name, await isReady(url)] as const)),
  );
}
