import { askedToStop } from './asked-to-stop.ts';
import { ConfigurationError, readEnvironment } from './environment.ts';
import type { Logger, LogLevel } from './log.ts';
import { logLevel } from './variables.ts';

/** How long requests under way may take to end when the process is asked to stop. */
const patienceMs = 10_000;

interface Task {
  readonly log: Logger;
  start(): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/**
 * The life of a process that serves one thing: configuration, start, a graceful end when it is asked to stop.
 * A wrong configuration is one sentence on standard error; a fault that nobody handled ends the process.
 */
export async function runProcess(env: NodeJS.ProcessEnv, prepare: (level: LogLevel) => Task): Promise<never> {
  // PostgreSQL's and our own texts of dates must not depend on where the machine stands.
  env.TZ = 'UTC';
  const stop = askedToStop(env);
  const { log, start } = prepared(env, prepare);
  const end = (error: unknown) => {
    log.fatal({ err: error }, 'ended by a fault');
    process.exit(1);
  };
  process.on('uncaughtException', end).on('unhandledRejection', end);
  const running = await Promise.race([start(), stop]);
  if (typeof running === 'string') process.exit(0);
  log.info({ url: running.url }, 'ready');
  const reason = await stop;
  log.info({ reason }, 'stopping');
  setTimeout(() => end(new Error(`Stopping took longer than ${patienceMs} ms.`)), patienceMs).unref();
  await running.close();
  log.info('stopped');
  // The watcher of `node --watch` would wait for a change of a file for ever.
  if (reason === 'supervisor gone' && env.WATCH_REPORT_DEPENDENCIES) process.kill(process.ppid, 'SIGTERM');
  process.exit(0);
}

function prepared(env: NodeJS.ProcessEnv, prepare: (level: LogLevel) => Task): Task {
  try {
    return prepare(readEnvironment({ LOG_LEVEL: logLevel.default('info') }, env).LOG_LEVEL);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
