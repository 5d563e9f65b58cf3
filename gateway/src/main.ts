import {
  createLog,
  drainSeconds,
  gatewayPort,
  rateLimitsOf,
  rateLimitVariables,
  readEnvironment,
  readServiceToken,
  readServiceUrl,
  runProcess,
  tracedServices,
  variables,
} from '@crm/service/process';
import type { Logger } from 'pino';
import { createGateway } from './app.ts';
import { openCounters } from './request-counters.ts';
import { routes, webRoutes } from './routes.ts';
import { withServiceToken } from './with-service-token.ts';

await runProcess(process.env, (level) => {
  const config = readConfig(process.env);
  const log = createLog('gateway', level);
  return { name: 'gateway', log, start: () => start(config, log) };
});

function readConfig(env: NodeJS.ProcessEnv) {
  const config = readEnvironment(
    {
      PORT: variables.port(0, 65_535).default(gatewayPort),
      HOST: variables.host.default('127.0.0.1'),
      PUBLIC_URL: variables.origin.optional(),
      TRUSTED_PROXIES: variables.networks.optional(),
      DRAIN_SECONDS: variables.seconds.default(drainSeconds),
      ...rateLimitVariables,
    },
    env,
  );
  const services = new Set([...routes, ...webRoutes].map(({ service }) => service));
  return {
    urls: new Map([...services].map((service) => [service, readServiceUrl(service, env)])),
    serviceToken: readServiceToken(env),
    host: config.HOST,
    port: config.PORT,
    clients: {
      publicUrl: config.PUBLIC_URL,
      trustedProxies: config.TRUSTED_PROXIES ?? [],
      rateLimits: rateLimitsOf(config),
      drainMs: config.DRAIN_SECONDS * 1_000,
    },
  };
}

async function start(
  { urls, serviceToken, host, port, clients }: ReturnType<typeof readConfig>,
  log: Logger,
) {
  const { services, close: closeServices } = tracedServices(urls);
  if (!services.identity) throw new Error('No route belongs to identity, which authenticates requests.');
  const app = createGateway({
    ...clients,
    services,
    ...withServiceToken(services.identity, serviceToken),
    counters: await openCounters(clients.rateLimits, log),
    log,
    reachable: () => reachableOf(urls),
  });
  const url = await app.listen({ host, port });
  const close = async () => {
    await app.close();
    await closeServices();
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
