import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '../system/data-folder.ts';

interface Order {
  readonly name: string;
  /** Below the folder of the project. */
  readonly script: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logFile: string;
  readonly watch: boolean;
  /** Hears in a sentence that it ended and is started again. */
  readonly note: (sentence: string) => void;
}

export interface Child {
  /** Resolves when it answers at this address; throws when it ended instead. */
  ready(url: string): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

/** A process that ran so long did not fail because of how it was started. */
const steadyMs = 30_000;
const longestDelayMs = 10_000;
const startMs = 60_000;
const stopMs = 12_000;

/** Starts a process and, once it has been ready, starts it again whenever it ends by itself. */
export function keepRunning(order: Order): Child {
  let current = launch(order);
  let stopping = false;
  let wasReady = false;
  let failures = 0;

  const follow = () => {
    const began = performance.now();
    current.once('exit', async (code, signal) => {
      if (stopping || !wasReady) return;
      failures = performance.now() - began > steadyMs ? 0 : failures + 1;
      order.note(`${order.name} ended by ${signal ?? `itself with ${code}`}; it is started again.`);
      await sleep(Math.min(250 * 2 ** failures, longestDelayMs), undefined, { ref: false });
      if (stopping) return;
      current = launch(order);
      follow();
    });
  };
  follow();

  return {
    async ready(url) {
      const deadline = performance.now() + startMs;
      while (!(await isReady(url))) {
        if (hasEnded(current)) throw new Error(`${order.name} ended while starting. ${lastWords(order)}`);
        if (performance.now() > deadline)
          throw new Error(`${order.name} is not ready after a minute. ${lastWords(order)}`);
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
 * In a session of its own, so that Ctrl-C in the terminal reaches us first. It holds a pipe of ours, whose end
 * tells it that we are gone.
 */
function launch({ script, env, logFile, watch }: Order): ChildProcess {
  const log = openSync(logFile, 'a', 0o600);
  const flags = watch ? ['--watch', '--watch-preserve-output'] : [];
  const child = spawn(process.execPath, [...flags, script], {
    cwd: projectFolder,
    env: { ...env, CRM_SUPERVISED: 'yes' },
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  // A child that is gone breaks the pipe, and its end is heard of by itself.
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

/** To the whole group: below a watcher the service is its child. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (hasEnded(child) || child.pid === undefined) return;
  process.kill(-child.pid, signal);
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function lastWords({ logFile }: Order): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-3);
  return `The end of ${logFile}:\n${lines.join('\n').slice(-2_000)}`;
}
