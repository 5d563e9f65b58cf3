import { askedToStop } from './asked-to-stop.ts';
import { collectGarbageWhenIdle } from './collect-garbage.ts';
import { ConfigurationError, readEnvironment } from './environment.ts';
import type { Logger, LogLevel } from './log.ts';
import { startTelemetry, telemetryOptionsOf, telemetryVariables } from './telemetry-options.ts';
import { logLevel } from './variables.ts';

/**
 * How long a process may take to stop: longer than a provider takes to respond, so that the outcome of what is being sent is
 * known and stored.
 */
export const maxStopMs = 30_000;

interface Task {
  /** The service, or the gateway. */
  readonly name: string;
  readonly log: Logger;
  start(): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/**
 * The life of a process that runs one server: configuration, start, and a graceful stop when it is asked to. Errors of
 * the configuration are printed on standard error; an unhandled fault ends the process.
 */
export async function runProcess(env: NodeJS.ProcessEnv, prepare: (level: LogLevel) => Task): Promise<never> {
  // The formatting of dates must not depend on the zone of the machine.
  env.TZ = 'UTC';
  const stop = askedToStop(env);
  const { name, log, start, telemetry } = prepared(env, prepare);
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'ended by a fault');
    process.exit(1);
  };
  process.on('uncaughtException', end).on('unhandledRejection', end);
  const begin = async () => {
    const sendTraces = await startTelemetry(telemetry, name);
    return { ...(await start()), sendTraces };
  };
  const running = await Promise.race([begin(), stop]);
  if (typeof running === 'string') process.exit(0);
  log.info({ url: running.url }, 'ready');
  collectGarbageWhenIdle();
  const reason = await stop;
  log.info({ reason }, 'stopping');
  setTimeout(() => end(new Error(`Stopping took longer than ${maxStopMs} ms.`)), maxStopMs).unref();
  await running.close();
  await running.sendTraces().catch((error) => log.warn({ err: error }, 'the last traces could not be sent'));
  log.info('stopped');
  // Otherwise `node --watch` would wait for a changed file forever.
  if (reason === 'supervisor ended' && env.WATCH_REPORT_DEPENDENCIES) process.kill(process.ppid, 'SIGTERM');
  process.exit(0);
}

function prepared(env: NodeJS.ProcessEnv, prepare: (level: LogLevel) => Task) {
  try {
    const read = readEnvironment({ LOG_LEVEL: logLevel.default('info'), ...telemetryVariables }, env);
    return { ...prepare(read.LOG_LEVEL), telemetry: telemetryOptionsOf(read) };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
