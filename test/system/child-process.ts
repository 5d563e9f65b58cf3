import { type ChildProcess, spawn } from 'node:child_process';
import { flushCompileCache } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compileCache } from '@crm/testing';
import type { LogLine } from './shape.ts';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** As `crm` starts them, in about half of the time. */
const quickly = ['--import=./crm/src/system/remember-resolutions.js'];

/** Nobody is served any longer when a process of a test is stopped. */
const usual = { DRAIN_SECONDS: '0.5' };
const always = { LOG_LEVEL: 'info', CRM_SUPERVISED: 'yes', NODE_ENV: 'test' };

export interface Main {
  /** Resolves when the process is ready; rejects if it ends first. */
  readonly url: Promise<string>;
  /** Resolves when the process has ended, with the signal that ended it, or its exit code and errors. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  /** Kills it without cleanup. */
  kill(): Promise<void>;
  /** Stands still until `resume`, and notices nothing of it. */
  pause(): void;
  resume(): void;
}

/** Runs a main file, of this checkout or of another. The process ends by itself when its pipe to this process breaks. */
export function spawnMain(
  script: string,
  env: Readonly<Record<string, string>>,
  note: (line: LogLine) => void,
  folder = projectFolder,
): Main {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  // Otherwise it would compile again what this process has compiled, and writes only at its end.
  flushCompileCache();
  const child = spawn(process.execPath, [...(folder === projectFolder ? quickly : []), script], {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE: NODE_COMPILE_CACHE ?? compileCache(), ...usual, ...env, ...always },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined); // A child that has ended breaks the pipe.
  const url = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<string>();
  const errors: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  createInterface(child.stdout).on('line', (text) => {
    const line = JSON.parse(text) as LogLine;
    note(line);
    if (line.msg === 'ready') url.resolve(String(line.url));
    if (line.level === 60) errors.push(text);
  });
  child.once('exit', (code, signal) => {
    ended.resolve(signal ?? `${code} ${errors.join('')}`);
    url.reject(new Error(`${script} ended with ${signal ?? code}. ${errors.join('')}`));
  });
  return {
    url: url.promise,
    ended: ended.promise,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await promise;
  clearTimeout(timer);
}
