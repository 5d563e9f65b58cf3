import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** A program at work on a path of ours; the path stands in its command line as an argument of its own. */
export interface Work {
  program: string;
  path: string;
}

/**
 * Whether the process runs this program on this path. A pid alone says little: after a crash or a reboot
 * it may belong to anybody. A process that has ended but was not reaped yet has no command line, and counts
 * as gone.
 */
export function isAtWork(pid: number, work: Work): boolean {
  return existsSync('/proc/self/cmdline') ? isAtWorkByProc(pid, work) : isAtWorkByPs(pid, work);
}

function isAtWorkByProc(pid: number, { program, path }: Work): boolean {
  const [command, ...rest] = (readIfThere(`/proc/${pid}/cmdline`) ?? '').split('\0');
  return command !== undefined && basename(command) === program && rest.includes(path);
}

export function isAtWorkByPs(pid: number, { program, path }: Work): boolean {
  const line = ps(pid, 'command');
  return line.includes(program) && `${line} `.includes(` ${path} `);
}

/** Tells a process from a later one with the same pid; nothing when no such process runs. */
export function birthOf(pid: number): string | undefined {
  if (!existsSync('/proc/self/stat')) return ps(pid, 'lstart') || undefined;
  // The name of the program stands in parentheses and may hold blanks; the state follows, and the time of
  // birth is the twentieth word from there.
  const [state, ...rest] = (readIfThere(`/proc/${pid}/stat`) ?? '').split(') ').at(-1)?.split(' ') ?? [];
  return state === 'Z' ? undefined : rest[18];
}

function ps(pid: number, column: string): string {
  try {
    const args = ['-ww', '-o', `${column}=`, '-p', String(pid)];
    return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch (error) {
    // It answers 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return '';
    throw error;
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // A process that ends while it is read gives ESRCH.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return undefined;
    }
    throw error;
  }
}
