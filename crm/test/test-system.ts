import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { removeAbandoned } from '@crm/embedded';
import { portsOfSystem } from '@crm/service/process';
import { reservePorts } from '@crm/testing';
import { environmentWith, project } from './run-crm.ts';

export interface Person {
  readonly email: string;
  readonly role: string;
  readonly token: string;
}

export interface Up {
  readonly gateway: string;
  readonly services: Readonly<Record<'identity' | 'contacts', string>>;
  readonly people: readonly Person[];
}

export interface StartedSystem extends Up {
  readonly pid: number;
  /** Sends the signal and returns the exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A data folder and ports for the systems of a test; `close` stops the systems and deletes the folder. */
export async function newTestSystem() {
  const folder = await mkdtemp(join(tmpdir(), 'crm-system-'));
  const { ports, free } = await reservePorts();
  const env = { CRM_DATA_DIR: folder, PORT: String(ports[0]), METRICS_PORT: String(ports[portsOfSystem]) };
  const children: ChildProcess[] = [];
  return {
    folder,
    env,
    start: (...words: string[]) => startSystem(env, words, children),
    async close() {
      for (const child of children) await endOf(child, 'SIGTERM');
      await removeAbandoned(folder);
      free();
    },
  };
}

async function startSystem(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  children: ChildProcess[],
): Promise<StartedSystem> {
  // Otherwise the process would compile again what this process has compiled, whose cache is written only at its end.
  flushCompileCache();
  const child = spawn(process.execPath, ['crm/src/main.js', 'start', '--json', ...words], {
    cwd: project,
    env: environmentWith(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const stderr = text(child.stderr);
  const line = await Promise.race([firstLine(child), once(child, 'exit').then(() => undefined)]);
  if (!line || child.pid === undefined) throw new Error(`It did not start: ${await stderr}`);
  const up = JSON.parse(line) as Up;
  return { ...up, pid: child.pid, end: (signal = 'SIGINT') => endOf(child, signal) };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let received = '';
  for await (const chunk of child.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    received += chunk;
    if (received.includes('\n')) break;
  }
  child.stdout?.resume();
  return received;
}

async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = await ended;
  return code;
}

/** Whether a process listens at the address. */
export async function responds(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}
