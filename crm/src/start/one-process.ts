import { gateway } from '@crm/auth';
import type { CallService } from '@crm/client';
import { type Counters, createGateway, openCounters } from '@crm/gateway';
import {
  createLog,
  linkedAdmission,
  linkedPeers,
  machineClock,
  type RunningService,
  startService,
} from '@crm/service';
import { addressOf, portOf } from '@crm/service/process';
import { definitionsOf } from '../system/definitions.ts';
import { eachService, forEachService, type ServiceName, serviceNames } from '../system/services.ts';
import { logFileOf } from './log-file.ts';
import type { Addresses, Plan } from './shape.ts';
import { servicesTo } from './starting-services.ts';

type Services = Readonly<Record<ServiceName, CallService>>;
type Starting = Readonly<Record<ServiceName, Promise<RunningService>>>;

/**
 * Runs everything in this process. Services and the gateway call each other directly. The services start concurrently; a call to
 * a service waits until that has started.
 */
export async function startOneProcess(plan: Plan): Promise<Addresses> {
  const { config, progress, ends } = plan;
  const { rateLimits } = config;
  const counters = await openCounters(rateLimits, logFor(plan, 'gateway'));
  const services = servicesTo(() => starting);
  const starting = startServices(plan, services);
  const app = gatewayTo(plan, services, starting, counters);
  ends.defer(() => app.close());
  const running = await forEachService((name) => starting[name]);
  const listen = async () => {
    await app.listen({ host: config.host, port: config.port });
    return addressOf(config.host, config.port);
  };
  const gateway = await progress.step('Gateway', listen, (url) => url);
  return { gateway, services: eachService((name) => running[name].url) };
}

function startServices(plan: Plan, services: Services): Starting {
  const { config, infrastructure, progress, ends } = plan;
  const definitions = definitionsOf(plan.secrets, plan.delivery, config.carrier);
  const start = (name: ServiceName) =>
    startService(definitions[name], {
      databaseUrl: infrastructure.databaseUrls[name],
      poolerUrl: config.poolerUrl,
      natsUrl: infrastructure.natsUrls[name],
      natsReplicas: config.natsReplicas,
      auditDays: config.auditDays,
      historyDays: config.historyDays[name],
      host: config.servicesHost,
      port: portOf(name, config.port),
      peers: linkedPeers(services, name),
      clock: machineClock,
      log: logFor(plan, name),
      checkAnswers: false,
      drainMs: 0,
    });
  const entries = serviceNames.map((name) => {
    const service = progress.step(
      name,
      () => start(name),
      ({ url }) => url,
    );
    // In the order of the names, regardless of which runs first.
    ends.defer(() =>
      service.then(
        ({ close }) => close(),
        // The start has already thrown this.
        () => undefined,
      ),
    );
    return [name, service] as const;
  });
  return Object.fromEntries(entries) as Starting;
}

function gatewayTo(plan: Plan, services: Services, starting: Starting, counters: Counters) {
  const { publicUrl, trustedProxies, rateLimits } = plan.config;
  return createGateway({
    services,
    admit: linkedAdmission(services.identity),
    asGateway: async () => ({ actor: gateway }),
    publicUrl,
    trustedProxies,
    rateLimits,
    counters,
    log: logFor(plan, 'gateway'),
    reachable: () => forEachService(async (name) => (await starting[name]).isReady()),
  });
}

function logFor({ config }: Plan, name: string) {
  return createLog(name, config.logLevel, logFileOf(config.folder, name));
}
