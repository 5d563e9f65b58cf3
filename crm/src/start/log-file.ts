import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const largest = 20 * 1024 * 1024;

/** Where a service logs. A large log of earlier runs is put aside, and the one put aside before it is gone. */
export function logFileOf(folder: string, name: string): string {
  const file = join(folder, 'logs', `${name}.log`);
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largest) renameSync(file, `${file}.1`);
  return file;
}
