import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { maxStopMs } from '@crm/service/process';
import { projectFolder } from '../system/data-folder.ts';
import { responds } from './responds.ts';

interface ChildOptions {
  readonly name: string;
  /** Relative to the project folder. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly watch: boolean;
  /** Called with a sentence when the process has ended and is restarted. */
  readonly note: (sentence: string) => void;
}

export interface Child {
  /** Resolves when the process is ready at this URL; throws if it ends first. */
  ready(url: string): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

const rememberResolutions = new URL('../system/remember-resolutions.js', import.meta.url).href;

/** A process that has run this long did not fail because of how it was started. */
const steadyMs = 30_000;
const firstDelayMs = 100;
const longestDelayMs = 2_000;
const startMs = 60_000;
const stopMs = maxStopMs + 2_000;

/** Starts a process and, after it was ready once, restarts it whenever it ends by itself. */
export function keepRunning(options: ChildOptions): Child {
  let current = launch(options);
  let stopping = false;
  let wasReady = false;
  let failures = 0;

  const follow = () => {
    const began = performance.now();
    current.once('exit', async (code, signal) => {
      if (stopping || !wasReady) return;
      failures = performance.now() - began > steadyMs ? 0 : failures + 1;
      options.note(`${options.name} ended with ${signal ?? `exit code ${code}`} and is being restarted.`);
      await sleep(Math.min(firstDelayMs * 2 ** failures, longestDelayMs), undefined, { ref: false });
      if (stopping) return;
      current = launch(options);
      follow();
    });
  };
  follow();

  return {
    async ready(url) {
      const deadline = performance.now() + startMs;
      while (!(await responds(`${url}/readyz`))) {
        if (hasEnded(current)) throw startError('ended while starting', options);
        if (performance.now() > deadline) throw startError('is not ready after a minute', options);
        await sleep(50);
      }
      wasReady = true;
    },
    async stop() {
      stopping = true;
      await end(current);
    },
    kill() {
      stopping = true;
      signalGroup(current, 'SIGKILL');
    },
  };
}

/**
 * In a separate session, so that Ctrl-C in the terminal reaches only this process. The pipe closes when this process ends, and
 * the child then stops.
 */
function launch({ script, env, logFile, watch }: ChildOptions): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  const flags = ['--import', rememberResolutions, ...(watch ? ['--watch', '--watch-preserve-output'] : [])];
  const child = spawn(process.execPath, [...flags, script], {
    cwd: projectFolder,
    env: { ...env, CRM_SUPERVISED: 'yes' },
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  // A child that has ended breaks the pipe. Its exit event reports that.
  child.stdin?.on('error', () => undefined);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), stopMs);
  await ended;
  clearTimeout(timer);
}

/** To the whole group, because the service is the child of a watcher. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (hasEnded(child) || child.pid === undefined) return;
  process.kill(-child.pid, signal);
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

function startError(failure: string, { name, logFile }: ChildOptions): Error {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-3);
  return new Error(`${name} ${failure}. The end of ${logFile}:\n${lines.join('\n').slice(-2_000)}`);
}
