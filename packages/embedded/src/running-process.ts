import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A program that runs on a path, given as a separate argument of its command line. */
export interface Work {
  readonly program: string;
  readonly path: string;
}

/**
 * Whether the process runs this program on this path. A pid alone is not enough: after a crash or a reboot it may belong to any
 * process. An exited process that was not reaped yet has no command line, and counts as exited.
 */
export function isRunning(pid: number, work: Work): boolean {
  return existsSync('/proc/self/cmdline') ? isRunningByProc(pid, work) : isRunningByPs(pid, work);
}

function isRunningByProc(pid: number, { program, path }: Work): boolean {
  const [command, ...rest] = (readIfExists(`/proc/${pid}/cmdline`) ?? '').split('\0');
  return command !== undefined && basename(command) === program && rest.includes(path);
}

export function isRunningByPs(pid: number, { program, path }: Work): boolean {
  const line = ps(pid, 'command');
  return line.includes(program) && `${line} `.includes(` ${path} `);
}

/** Distinguishes a process from a later one with the same pid; undefined if it does not run. */
export function startTimeOf(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return ps(pid, 'lstart') || undefined;
  // The name of the program is in parentheses and may contain spaces; the state follows, and the start time is the
  // twentieth field from there.
  const [state, ...rest] = (readIfExists(`/proc/${pid}/stat`) ?? '').split(') ').at(-1)?.split(' ') ?? [];
  return state === 'Z' ? undefined : rest[18];
}

function ps(pid: number, column: string): string {
  try {
    const args = ['-ww', '-o', `${column}=`, '-p', String(pid)];
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch (error) {
    // It exits with 1 if there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return '';
    throw error;
  }
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // ESRCH if the process ends during the read.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return undefined;
    }
    throw error;
  }
}
