import { flushCompileCache } from 'node:module';
import { startTimeOf } from '@crm/embedded';
import { collectGarbageWhenIdle, machineClock, startTelemetry } from '@crm/service/process';
import { printableJson } from '../printable.ts';
import { makeDataFolder } from '../system/data-folder.ts';
import { demandKeysOfDatabase, keepKeysOfDatabase } from '../system/keys-of-database.ts';
import { ensureSecrets } from '../system/secrets.ts';
import { removeSystemFile, writeSystemFile } from '../system/system-file.ts';
import { startCarriers } from './carriers.ts';
import { emergencyExit } from './emergency-exit.ts';
import { startInfrastructure } from './infrastructure.ts';
import { limitLogs } from './log-file.ts';
import { needPorts } from './ports.ts';
import { progressOn } from './progress.ts';
import { refuseDevelopmentDefaults } from './refuse-development.ts';
import { refuseSecond } from './refuse-second.ts';
import type { Addresses, Plan } from './shape.ts';
import { readStartConfig } from './start-config.ts';
import { Interrupted, stopSwitch } from './stop-switch.ts';
import { summaryOf } from './summary.ts';
import { wantsDemo } from './wants-demo.ts';

export interface StartOptions {
  readonly processes?: boolean;
  readonly watch?: boolean;
  /** Undefined for the default, which depends on who can reach the system. */
  readonly demo?: boolean;
  readonly json?: boolean;
}

/** With --json, only one object is printed. */
const silence = { write: () => undefined };

/** How long the processes of a killed system may take to notice and end. */
const orphansMs = 15_000;

/** Runs the whole system until it is asked to stop. */
export async function start(options: StartOptions, env: NodeJS.ProcessEnv): Promise<void> {
  // The text of a date must not depend on the time zone of the machine.
  env.TZ = 'UTC';
  const config = readStartConfig(env);
  refuseDevelopmentDefaults(config);
  makeDataFolder(config.folder);
  const secrets = ensureSecrets(env, config.folder);
  const { wasKilled } = await refuseSecond(config.folder);
  await needPorts(config, options, wasKilled ? orphansMs : 0);
  const emergency = emergencyExit();
  const stop = stopSwitch(emergency.now);
  const progress = progressOn(options.json ? silence : process.stdout, stop.throwIfStopped);
  await using ends = new AsyncDisposableStack();
  ends.defer(limitLogs(config.folder, progress.note));
  try {
    await startEverything(options, { config, secrets, env, progress, emergency, ends });
    // Otherwise the cache is written only when a process ends by itself.
    flushCompileCache();
    collectGarbageWhenIdle();
    await stop.requested;
    progress.note('Stopping once running requests are finished.');
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

async function startEverything(
  options: StartOptions,
  context: Omit<Plan, 'infrastructure' | 'delivery'>,
): Promise<void> {
  const { config, emergency, ends } = context;
  const infrastructure = await startInfrastructure(context, {
    started(server) {
      emergency.add(server.stop);
      ends.defer(server.stop);
    },
    // This process loads the code while the servers start.
    launched: () => void loadShape(options).catch(() => undefined),
  });
  const { identity } = infrastructure.databaseUrls;
  await demandKeysOfDatabase(identity, config.folder);
  const { delivery, pageUrl } = await startCarriers(context);
  const plan = { ...context, infrastructure, delivery };
  const addresses = { ...(await startShape(options, plan)), messages: pageUrl };
  await keepKeysOfDatabase(identity, config.folder);
  const people = wantsDemo(options.demo, config) ? await addDemoTo(plan, addresses) : [];
  announce(options, plan, addresses);
  const { folder, unusedProviders } = config;
  const summary = { ...addresses, folder, people, unusedProviders };
  process.stdout.write(`${options.json ? printableJson(summary) : summaryOf(summary)}\n`);
}

async function addDemoTo({ config, secrets, progress }: Plan, { gateway, services }: Addresses) {
  const { addDemo } = await import('../demo/add-demo.ts');
  const target = { folder: config.folder, gateway, identityUrl: services.identity };
  return addDemo({ ...target, operatorToken: secrets.operatorToken }, (seed) =>
    progress.step('Demo data', seed, () => 'an agency of five'),
  );
}

/** Each shape is loaded on demand, because the parent of several processes does not need the code of the services. */
const loadShape = ({ processes }: StartOptions) =>
  processes ? import('./processes.ts') : import('./one-process.ts');

async function startShape({ processes, watch }: StartOptions, plan: Plan): Promise<Addresses> {
  if (!processes) {
    plan.ends.defer(await startTelemetry(plan.config.telemetry, 'crm'));
    return (await import('./one-process.ts')).startOneProcess(plan);
  }
  return (await import('./processes.ts')).startProcesses(plan, { watch: watch ?? false });
}

/** Lets the commands find the system. */
function announce({ processes }: StartOptions, { config, infrastructure, ends }: Plan, addresses: Addresses) {
  writeSystemFile(config.folder, {
    pid: process.pid,
    processStart: startTimeOf(process.pid),
    startedAt: machineClock().toISOString(),
    shape: processes ? 'processes' : 'one process',
    ...addresses,
    sends: [...(config.mail ? ['e-mails'] : []), ...(config.carrier ? ['texts and calls'] : [])],
    unusedProviders: [...config.unusedProviders],
    ...(config.mail && { hasPostalAddress: config.postalAddress !== undefined }),
    databaseUrls: infrastructure.databaseUrls,
    natsUrl: infrastructure.natsUrls.crm,
    versions: { node: process.versions.node, ...infrastructure.versions },
  });
  ends.defer(() => removeSystemFile(config.folder));
}
