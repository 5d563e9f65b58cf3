import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { removeAbandoned } from '@crm/embedded';
import { portsOfSystem } from '@crm/service/process';
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
  const { first, free } = await reservePorts();
  const env = { CRM_DATA_DIR: folder, PORT: String(first), METRICS_PORT: String(first + portsOfSystem) };
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
  // Otherwise it would compile again what this process has compiled, and writes only at its end.
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

const portsOfBlock = 2 * portsOfSystem + 1;

/** Below the ports that servers of tests choose for themselves, so that none of them opens one of a system that is not up yet. */
const [minPort, maxPort] = [10_000, 20_000];

/**
 * Consecutive free ports for a system and for its metrics, of which no other test gets any before `free`: listening on the
 * last port reserves the others.
 */
async function reservePorts(): Promise<{ readonly first: number; free(): void }> {
  for (;;) {
    const first = minPort + portsOfBlock * randomInt(Math.floor((maxPort - minPort) / portsOfBlock));
    const reservation = await listenOn(first + portsOfBlock - 1);
    if (!reservation) continue;
    const ports = Array.from({ length: portsOfBlock - 1 }, (_, index) => portIsFree(first + index));
    if ((await Promise.all(ports)).every(Boolean)) return { first, free: () => reservation.close() };
    reservation.close();
  }
}

async function portIsFree(port: number): Promise<boolean> {
  const server = await listenOn(port);
  server?.close();
  if (server) await once(server, 'close');
  return server !== undefined;
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().unref().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/** Whether a process listens at the address. */
export async function responds(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}
