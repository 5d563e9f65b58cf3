import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const maxBytes = 20 * 1024 * 1024;

/** The log file of a service. A large log of earlier runs is renamed and replaces the one renamed before. */
export function logFileOf(folder: string, name: string): string {
  const file = join(folder, 'logs', `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxBytes) renameSync(file, `${file}.1`);
  return file;
}
