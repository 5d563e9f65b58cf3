import { existsSync, statfsSync } from 'node:fs';

const folder = '/dev/shm';
const tmpfs = 0x01021994;
const enough = 8 * 1024 ** 3;

/**
 * Moves the temporary files of this process and of its child processes into memory, if Linux has room there for everything that a
 * run of all tests keeps. A database consists of some 350 files, which take ten times as long to create on a disk.
 */
export function keepFilesInMemory(): void {
  if (process.env.TMPDIR || process.platform !== 'linux' || !existsSync(folder)) return;
  const { type, bavail, bsize } = statfsSync(folder);
  if (type === tmpfs && bavail * bsize > enough && process.availableMemory() > enough)
    process.env.TMPDIR = folder;
}
