import { machineClock } from './clock.ts';
import { readServiceConfig, readServiceToken, readServiceUrl } from './config.ts';
import type { ServiceDefinition } from './definition.ts';
import { createLog } from './log.ts';
import { linkedPeers, type Peers, remotePeers } from './peers.ts';
import { runProcess } from './run-process.ts';
import { startService } from './start-service.ts';
import { tracedServices } from './traced-service.ts';

/** Runs a service in its own process, configured by the environment, until the process is asked to stop. */
export function runService(
  env: NodeJS.ProcessEnv,
  define: (env: NodeJS.ProcessEnv) => ServiceDefinition,
): Promise<never> {
  return runProcess(env, (level) => {
    const definition = define(env);
    const config = readServiceConfig(definition.name, env);
    const remotes = peersOf(definition, env);
    const log = createLog(definition.name, level);
    const start = async () => {
      const { peers } = remotes;
      const options = { ...config, peers, clock: machineClock, log, checkAnswers: false };
      const service = await startService(definition, options);
      const close = async () => {
        await service.close();
        await remotes.close();
      };
      return { url: service.url, close };
    };
    return { name: definition.name, log, start };
  });
}

/** Identity and the services that the definition needs. A service that only authenticates callers has no service token. */
function peersOf({ name, needs = [] }: ServiceDefinition, env: NodeJS.ProcessEnv) {
  const names = name === 'identity' ? [] : ['identity', ...needs];
  const { services, close } = tracedServices(new Map(names.map((peer) => [peer, readServiceUrl(peer, env)])));
  const peers: Peers =
    services.identity && needs.length > 0
      ? remotePeers(services, services.identity, readServiceToken(env))
      : linkedPeers(services, name);
  return { peers, close };
}
