import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  globSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { copyFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const limits = { most: 20 * 1024 * 1024, everyMs: 60_000 };

/** The log file of a service. */
export const logFileOf = (folder: string, name: string): string => join(folder, 'logs', `${name}.log`);

/** The logs of all services, and of PostgreSQL and NATS if they run in the data folder. */
const patterns = ['logs/*.log', '{postgres,nats}/server.log'];

/**
 * Truncates the logs of a data folder that have grown large, immediately and every minute, until the returned function is called.
 */
export function limitLogs(
  folder: string,
  note: (sentence: string) => void,
  { most, everyMs } = limits,
): () => void {
  const failed = new Set<string>();
  let isCutting = false;
  const cutAll = async () => {
    if (isCutting) return;
    isCutting = true;
    for (const file of globSync(patterns, { cwd: folder })) {
      await cutLog(join(folder, file), most).catch((error: unknown) => {
        if (!failed.has(file))
          note(`${join(folder, file)} keeps growing, because it cannot be truncated: ${error}`);
        failed.add(file);
      });
    }
    isCutting = false;
  };
  void cutAll();
  const timer = setInterval(cutAll, everyMs).unref();
  return () => clearInterval(timer);
}

/**
 * Moves the contents of a large log to a file next to it, replacing what was moved before. The processes that write to the log
 * keep it open, so it is copied and truncated; they append, so they continue at its start.
 */
export async function cutLog(file: string, most: number): Promise<void> {
  if ((await stat(file)).size <= most) return;
  const moved = `${file}.1`;
  // First, because the disk may be full.
  await rm(moved, { force: true });
  await copyFile(file, moved, constants.COPYFILE_EXCL);
  const log = openSync(file, 'r+');
  const copy = openSync(moved, 'a');
  try {
    copyRest(log, copy);
    // Immediately, because a line that another process wrote in between would be lost.
    ftruncateSync(log);
  } finally {
    closeSync(log);
    closeSync(copy);
  }
}

/** Copies what was written meanwhile, until nothing is left. */
function copyRest(log: number, copy: number): void {
  let copied = fstatSync(copy).size;
  for (let size = fstatSync(log).size; copied < size; size = fstatSync(log).size) {
    const bytes = Buffer.alloc(size - copied);
    const read = readSync(log, bytes, 0, bytes.length, copied);
    if (read === 0) return;
    writeSync(copy, bytes, 0, read);
    copied += read;
  }
}
