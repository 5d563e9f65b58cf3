import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning, type Work } from './running-process.ts';

export interface Command {
  readonly file: string;
  readonly args: string[];
  readonly uid?: number;
  readonly gid?: number;
}

/** The signals that stop a server, each with the seconds to wait before the next one. */
export type StopSignals = readonly (readonly [signal: NodeJS.Signals, seconds: number])[];

/** How to recognize the server of a folder, and how to stop it. */
export interface ServerTrace {
  /** The program and path of its process. */
  readonly work: Work;
  /** Files of the server itself whose first line is its pid. */
  readonly pidFiles: string[];
  readonly stopSignals: StopSignals;
}

export interface OwnedProcess {
  readonly pid: number;
  hasEnded(): boolean;
  /** Resolves when the process has exited, for whatever reason. */
  readonly ended: Promise<void>;
  /** The output of the server since this start. */
  log(): string;
  stop(): Promise<void>;
}

export const logOf = (folder: string): string => join(folder, 'server.log');

/**
 * Starts a server in its own session, so that Ctrl-C in the terminal does not reach it before the services have drained.
 * It neither keeps this process running nor shares its terminal, and does not inherit the environment, which contains
 * secrets.
 */
export async function startOwned(
  folder: string,
  command: Command,
  stopSignals: StopSignals,
): Promise<OwnedProcess> {
  const { file, args, ...account } = command;
  const { log, fd } = openLog(logOf(folder));
  const child = spawn(file, args, {
    ...account,
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  const pidFile = join(folder, 'server.pid');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    await end(stopSignals, hasEnded, (signal) => child.kill(signal), pidOf(child));
    rmSync(pidFile, { force: true });
  };
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const spawned = once(child, 'spawn');
  try {
    // Immediately: if this process crashes now, the next one finds the orphan by this file.
    if (child.pid !== undefined) writeFileSync(pidFile, `${child.pid}\n`);
  } catch (error) {
    // On a full disk. Nobody would find the server, and it would block the next one.
    await spawned.then(stop);
    throw error;
  }
  await spawned;
  child.unref();

  return { pid: pidOf(child), hasEnded, ended, log, stop };
}

/** Ends the server that a crashed owner left behind. Processes that are not this server are left alone. */
export async function stopOrphan(folder: string, { work, stopSignals, pidFiles }: ServerTrace) {
  for (const pidFile of [join(folder, 'server.pid'), ...pidFiles]) {
    const pid = pidIn(pidFile);
    if (pid === undefined) continue;
    const hasEnded = () => !isRunning(pid, work);
    await end(stopSignals, hasEnded, (signal) => process.kill(pid, signal), pid);
  }
  rmSync(join(folder, 'server.pid'), { force: true });
}

async function end(
  stopSignals: StopSignals,
  hasEnded: () => boolean,
  send: (signal: NodeJS.Signals) => void,
  pid: number,
) {
  for (const [signal, seconds] of stopSignals) {
    if (hasEnded()) return;
    send(signal);
    const deadline = performance.now() + seconds * 1000;
    while (!hasEnded() && performance.now() < deadline) await sleep(10);
  }
  if (!hasEnded()) throw new Error(`Process ${pid} does not end.`);
}

function openLog(file: string) {
  const start = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const fd = openSync(file, 'a', 0o600);
  return { fd, log: () => readFileSync(file).subarray(start).toString() };
}

function pidIn(file: string): number | undefined {
  if (!statSync(file, { throwIfNoEntry: false })) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  return pid > 1 ? pid : undefined;
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error(`${child.spawnfile} did not start.`);
  return child.pid;
}
