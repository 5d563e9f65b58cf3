import { randomUUID } from 'node:crypto';
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { csvText } from '../csv/write-csv.ts';
import type { RowError } from './read-row.ts';

export interface ErrorsFile {
  readonly path: string;
  readonly count: number;
  add(errors: readonly RowError[]): void;
  /** Moves it to its path, or deletes it if it has no errors. */
  close(): void;
}

/**
 * Replaces the errors of an earlier import. Opened before anything is imported, because an import whose errors cannot
 * be written must not start. Written under another name first, because two imports of one file would write into each
 * other's.
 */
export function openErrorsFile(path: string): ErrorsFile {
  rmSync(path, { force: true });
  const draft = `${path}.${randomUUID()}`;
  const file = openSync(draft, 'wx', 0o600);
  let count = 0;
  const write = (rows: readonly (readonly string[])[]) => writeSync(file, csvText(rows));
  write([['line', 'column', 'reason']]);
  return {
    path,
    get count() {
      return count;
    },
    add(errors) {
      count += errors.length;
      if (errors.length > 0) {
        write(errors.map(({ line, column, reason }) => [String(line), column, reason]));
      }
    },
    close() {
      closeSync(file);
      if (count === 0) rmSync(draft, { force: true });
      else renameSync(draft, path);
    },
  };
}
