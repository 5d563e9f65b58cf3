import { remoteCaller } from '@crm/client';
import { machineClock } from './clock.ts';
import { readServiceConfig } from './config.ts';
import type { ServiceDefinition } from './definition.ts';
import { createLog } from './log.ts';
import { runProcess } from './run-process.ts';
import { startService } from './start-service.ts';

/** Runs a service in a process of its own, from the environment, until the process is asked to stop. */
export function runService(
  env: NodeJS.ProcessEnv,
  define: (env: NodeJS.ProcessEnv) => ServiceDefinition,
): Promise<never> {
  return runProcess(env, (level) => {
    const definition = define(env);
    const { identityUrl, ...config } = readServiceConfig(definition.name, env);
    const log = createLog(definition.name, level);
    const start = async () => {
      const identity = definition.name === 'identity' ? undefined : remoteCaller(identityUrl);
      const surroundings = {
        ...config,
        identity: identity?.call,
        clock: machineClock,
        log,
        checkAnswers: false,
      };
      const service = await startService(definition, surroundings);
      const close = async () => {
        await service.close();
        await identity?.close();
      };
      return { url: service.url, close };
    };
    return { log, start };
  });
}
