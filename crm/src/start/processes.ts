import { addressOf, portOf, tracingEnvironment } from '@crm/service/process';
import { compileCacheFolder } from '../system/compile-cache.js';
import { environmentsOf } from '../system/environments.ts';
import { eachService, serviceNames } from '../system/services.ts';
import { keepRunning } from './child.ts';
import { logFileOf } from './log-file.ts';
import type { Addresses, Plan } from './shape.ts';

interface ProcessOptions {
  readonly watch: boolean;
}

/** Runs one process per service and one for the gateway. A process that ends by itself is restarted. */
export async function startProcesses(plan: Plan, { watch }: ProcessOptions): Promise<Addresses> {
  const { config } = plan;
  const urls = eachService((name) => addressOf(config.servicesHost, portOf(name, config.port)));
  const gateway = addressOf(config.host, config.port);
  const own = environmentsOf({ ...config, ...plan, ...plan.infrastructure, urls });
  const run = startChild(plan, watch);
  // Concurrently, because none needs another one to start. They are stopped in reverse order.
  await Promise.all([
    ...serviceNames.map((name) => {
      const listen = { HOST: config.servicesHost, PORT: String(portOf(name, config.port)) };
      const env = {
        ...listen,
        ...noDrain,
        ...metricsVariablesOf(plan, (port) => portOf(name, port)),
        ...own[name],
      };
      return run(name, `services/${name}`, urls[name], env);
    }),
    run('gateway', 'gateway', gateway, {
      HOST: config.host,
      PORT: String(config.port),
      ...noDrain,
      ...metricsVariablesOf(plan, (port) => port),
      ...own.gateway,
    }),
  ]);
  return { gateway, services: urls };
}

/** All processes stop together, so there is no other one that clients could use. */
const noDrain = { DRAIN_SECONDS: '0.5' };

function metricsVariablesOf({ config }: Plan, portFrom: (gateway: number) => number) {
  const { metrics } = config.telemetry;
  return metrics && { METRICS_HOST: metrics.host, METRICS_PORT: String(portFrom(metrics.port)) };
}

function startChild({ config, env, progress, emergency, ends }: Plan, watch: boolean) {
  return (name: string, workspace: string, url: string, own: Readonly<Record<string, string>>) =>
    progress.step(
      name,
      async () => {
        const child = keepRunning({
          name,
          script: `${workspace}/src/main.ts`,
          env: { ...inheritedFrom(env), LOG_LEVEL: config.logLevel, ...own },
          logFile: logFileOf(config.folder, name),
          watch,
          note: progress.note,
        });
        emergency.add(child.kill);
        ends.defer(child.stop);
        await child.ready(url);
      },
      () => url,
    );
}

/** Not the whole environment, because a process must get only its own secrets. */
function inheritedFrom(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  const names = ['PATH', 'HOME', 'NODE_ENV', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
  const cache = { NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE || compileCacheFolder };
  const own = Object.fromEntries(names.map((name) => [name, env[name]]));
  return { ...own, ...tracingEnvironment(env), ...cache, TZ: 'UTC' };
}
