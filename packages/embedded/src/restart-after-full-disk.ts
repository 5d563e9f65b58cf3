import { closeSync, openSync, readSync, statfsSync, statSync, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 1_000;

/** A disk with less free space is soon full again. */
const roomBytes = 16 * 1024 * 1024;

interface FullDisk {
  readonly log: string;
  /** What the server logs when it cannot write. */
  readonly line: RegExp;
  /** Ends the server, which is then started again. */
  readonly restart: () => void;
}

/**
 * Restarts a server that cannot recover by itself after its disk was full, once there is free space. Returns a function that
 * stops watching.
 */
export function restartAfterFullDisk({ log, line, restart }: FullDisk): () => void {
  const read = newLines(log);
  let isWaiting = false;
  let isOver = false;
  const watcher = watch(dirname(log), { persistent: false }, async (_event, file) => {
    if (file !== basename(log) || !line.test(read()) || isWaiting) return;
    isWaiting = true;
    do await sleep(pauseMs, undefined, { ref: false });
    while (!isOver && !hasRoom(log));
    if (isOver) return;
    // What it has logged meanwhile is about the same full disk.
    read();
    isWaiting = false;
    restart();
  });
  return () => {
    isOver = true;
    watcher.close();
  };
}

/** Returns what was appended to a file since the last call. */
function newLines(file: string): () => string {
  let position = sizeOf(file);
  return () => {
    const size = sizeOf(file);
    // The file was replaced or truncated.
    if (size < position) position = 0;
    const bytes = Buffer.alloc(size - position);
    if (size === position) return '';
    const fd = openSync(file, 'r');
    try {
      readSync(fd, bytes, 0, bytes.length, position);
    } finally {
      closeSync(fd);
    }
    position = size;
    return bytes.toString();
  };
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function hasRoom(path: string): boolean {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize > roomBytes;
}
