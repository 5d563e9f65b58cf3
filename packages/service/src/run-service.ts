import { remoteCaller } from '@crm/client';
import { machineClock } from './clock.ts';
import { readServiceConfig, readServiceToken, readServiceUrl } from './config.ts';
import type { ServiceDefinition } from './definition.ts';
import { createLog } from './log.ts';
import { linkedNeighbours, type Neighbours, remoteNeighbours } from './neighbours.ts';
import { runProcess } from './run-process.ts';
import { startService } from './start-service.ts';

/** Runs a service in a process of its own, from the environment, until the process is asked to stop. */
export function runService(
  env: NodeJS.ProcessEnv,
  define: (env: NodeJS.ProcessEnv) => ServiceDefinition,
): Promise<never> {
  return runProcess(env, (level) => {
    const definition = define(env);
    const config = readServiceConfig(definition.name, env);
    const around = neighboursOf(definition, env);
    const log = createLog(definition.name, level);
    const start = async () => {
      const { neighbours } = around;
      const surroundings = { ...config, neighbours, clock: machineClock, log, checkAnswers: false };
      const service = await startService(definition, surroundings);
      const close = async () => {
        await service.close();
        await around.close();
      };
      return { url: service.url, close };
    };
    return { log, start };
  });
}

/** Identity, which everyone needs, and the services that the definition names. Who only needs identity shows it no secret. */
function neighboursOf({ name, needs = [] }: ServiceDefinition, env: NodeJS.ProcessEnv) {
  const names = new Set(name === 'identity' ? [] : ['identity', ...needs]);
  const remotes = new Map([...names].map((one) => [one, remoteCaller(readServiceUrl(one, env))]));
  const callers = Object.fromEntries([...remotes].map(([one, { call }]) => [one, call]));
  const neighbours: Neighbours =
    callers.identity && needs.length > 0
      ? remoteNeighbours(callers, callers.identity, readServiceToken(env))
      : linkedNeighbours(callers);
  return {
    neighbours,
    close: async () => void (await Promise.all([...remotes.values()].map((remote) => remote.close()))),
  };
}
