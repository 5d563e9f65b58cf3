import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTimeOf } from './running-process.ts';

/** Makes this process the only one that starts and stops the server of the folder, until released. */
export function acquireOwnership(folder: string, server: string): { release(): void } {
  const file = join(folder, 'owner');
  const claim = `${file}.${randomUUID()}`;
  writeFileSync(claim, `${process.pid} ${startTimeOf(process.pid)}\n`);
  try {
    while (!linked(claim, file)) {
      const owner = readFileSync(file, 'utf8');
      if (isAlive(owner)) throw new Error(refusal(folder, server, owner));
      removeStale(file, owner);
    }
  } finally {
    rmSync(claim);
  }
  return { release: () => rmSync(file, { force: true }) };
}

/** Whether a living process owns the server of the folder. */
export function isOwned(folder: string): boolean {
  const file = join(folder, 'owner');
  return existsSync(file) && isAlive(readFileSync(file, 'utf8'));
}

/** Linking fails where renaming would overwrite, so of two concurrent processes only one becomes the owner. */
function linked(claim: string, file: string): boolean {
  try {
    linkSync(claim, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(owner: string): boolean {
  const [pid, startTime] = owner.trim().split(' ');
  return startTime !== undefined && startTimeOf(Number(pid)) === startTime;
}

/** Restores the file if another process has replaced it since it was read; deleting it would allow two owners. */
function removeStale(file: string, stale: string) {
  const aside = `${file}.${randomUUID()}`;
  renameSync(file, aside);
  if (readFileSync(aside, 'utf8') !== stale) linked(aside, file);
  rmSync(aside);
}

function refusal(folder: string, server: string, owner: string): string {
  return `${server} in ${folder} is already run by process ${Number.parseInt(owner, 10)}. Stop that process, or set CRM_DATA_DIR to another folder.`;
}
