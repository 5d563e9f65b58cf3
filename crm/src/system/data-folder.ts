import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode } from '@crm/contract';

export const projectFolder = fileURLToPath(new URL('../../..', import.meta.url));

/** Where a system keeps its data, logs and secrets: `CRM_DATA_DIR`, or `.crm` in the project. */
export function dataFolderOf(env: NodeJS.ProcessEnv): string {
  return resolve(env.CRM_DATA_DIR || join(projectFolder, '.crm'));
}

export function makeDataFolder(folder: string): void {
  mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
}

/** Replaces a file atomically, also if the machine loses power. Only its owner may read it. */
export function writePrivate(file: string, content: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  renameSync(draft, file);
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

export function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
