import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAtWork, type Work } from './running-process.ts';

export interface Command {
  file: string;
  args: string[];
  uid?: number;
  gid?: number;
}

/** How to ask a server to end: each signal with the seconds it is given before the next. */
export type Farewell = readonly (readonly [signal: NodeJS.Signals, seconds: number])[];

/** By what a server of a folder is known again, and how it is asked to end. */
export interface Trace {
  /** What its running process looks like from outside. */
  work: Work;
  /** Files of the server itself whose first line is its pid. */
  pidFiles: string[];
  farewell: Farewell;
}

export interface OwnedProcess {
  pid: number;
  hasEnded(): boolean;
  /** What the server wrote since this start. */
  log(): string;
  stop(): Promise<void>;
}

const logLimit = 10 * 1024 * 1024;

/**
 * Starts a server in a session of its own, so that Ctrl-C in the terminal does not reach it before our
 * services have drained. It neither keeps this process running nor shares its terminal, and it sees none of
 * our environment, which holds secrets.
 */
export async function startOwned(
  folder: string,
  command: Command,
  farewell: Farewell,
): Promise<OwnedProcess> {
  const { file, args, ...account } = command;
  const { log, fd } = openLog(join(folder, 'server.log'));
  const child = spawn(file, args, {
    ...account,
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', fd, fd],
  });
  closeSync(fd);
  const pidFile = join(folder, 'server.pid');
  // At once: should this process die in the next moment, the next one finds the orphan by this file.
  if (child.pid !== undefined) writeFileSync(pidFile, `${child.pid}\n`);
  await once(child, 'spawn');
  child.unref();

  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    await end(farewell, hasEnded, (signal) => child.kill(signal), pidOf(child));
    rmSync(pidFile, { force: true });
  };
  return { pid: pidOf(child), hasEnded, log, stop };
}

/** Ends the server that an owner left behind when it crashed; a process that is not this server is let be. */
export async function stopOrphan(folder: string, { work, farewell, pidFiles }: Trace) {
  for (const pidFile of [join(folder, 'server.pid'), ...pidFiles]) {
    const pid = pidIn(pidFile);
    if (pid === undefined) continue;
    const hasEnded = () => !isAtWork(pid, work);
    await end(farewell, hasEnded, (signal) => process.kill(pid, signal), pid);
  }
  rmSync(join(folder, 'server.pid'), { force: true });
}

async function end(
  farewell: Farewell,
  hasEnded: () => boolean,
  send: (signal: NodeJS.Signals) => void,
  pid: number,
) {
  for (const [signal, seconds] of farewell) {
    if (hasEnded()) return;
    send(signal);
    const deadline = performance.now() + seconds * 1000;
    while (!hasEnded() && performance.now() < deadline) await sleep(10);
  }
  if (!hasEnded()) throw new Error(`Process ${pid} does not end.`);
}

function openLog(file: string) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const full = size > logLimit;
  if (full) renameSync(file, `${file}.1`);
  const start = full ? 0 : size;
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
