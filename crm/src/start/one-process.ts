import { countedAccount, gateway } from '@crm/auth';
import type { Caller } from '@crm/client';
import { createGateway, openCounters } from '@crm/gateway';
import {
  createLog,
  linkedPeers,
  machineClock,
  type RunningService,
  resolveActor,
  startService,
} from '@crm/service';
import { addressOf, portOf } from '@crm/service/process';
import { definitionsOf } from '../system/definitions.ts';
import { forEachService, inOrder, type ServiceName } from '../system/services.ts';
import { logFileOf } from './log-file.ts';
import type { Addresses, Plan } from './shape.ts';

/** Runs everything in this process. Services and the gateway call each other directly. */
export async function startOneProcess(plan: Plan): Promise<Addresses> {
  const definitions = definitionsOf(plan.secrets, plan.delivery, plan.config.carrier);
  const { config, infrastructure, progress, ends } = plan;
  const callers: Record<string, Caller> = {};
  const start = async (name: ServiceName) => {
    const service = await progress.step(
      name,
      () =>
        startService(definitions[name], {
          databaseUrl: infrastructure.databaseUrls[name],
          poolerUrl: config.poolerUrl,
          natsUrl: infrastructure.natsUrls[name],
          natsReplicas: config.natsReplicas,
          auditDays: config.auditDays,
          host: config.servicesHost,
          port: portOf(name, config.port),
          peers: linkedPeers(callers, name),
          clock: machineClock,
          log: logFor(plan, name),
          checkAnswers: false,
        }),
      ({ url }) => url,
    );
    ends.defer(() => service.close());
    callers[name] = service.call;
    return service;
  };
  const services = await inOrder(start);
  const gateway = await progress.step(
    'Gateway',
    () => startGateway(plan, services),
    (url) => url,
  );
  return { gateway, services: await forEachService(async (name) => services[name].url) };
}

async function startGateway(plan: Plan, services: Record<ServiceName, RunningService>): Promise<string> {
  const { config, ends } = plan;
  const running = Object.values(services);
  const log = logFor(plan, 'gateway');
  const app = createGateway({
    callers: Object.fromEntries(running.map(({ name, call }) => [name, call])),
    admit: async (token, _service, { requestId, address }) => {
      const actor = await resolveActor(services.identity.call, token, { requestId, address });
      return { credential: { actor }, account: countedAccount(actor) };
    },
    asGateway: async () => ({ actor: gateway }),
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
    rateLimits: config.rateLimits,
    counters: await openCounters(config.rateLimits, log),
    log,
    reachable: async () =>
      Object.fromEntries(
        await Promise.all(running.map(async ({ name, isReady }) => [name, await isReady()])),
      ),
  });
  await app.listen({ host: config.host, port: config.port });
  ends.defer(() => app.close());
  return addressOf(config.host, config.port);
}

function logFor({ config }: Plan, name: string) {
  return createLog(name, config.logLevel, logFileOf(config.folder, name));
}
