import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { csvText } from '../csv/write-csv.ts';
import type { RowError } from './read-row.ts';

export interface ErrorsFile {
  readonly path: string;
  readonly count: number;
  add(errors: readonly RowError[]): void;
  /** An empty one is not left behind. */
  close(): void;
}

/** Replaces the errors of an earlier import. Opened before anything is imported, because errors must have a place. */
export function openErrorsFile(path: string): ErrorsFile {
  const file = openSync(path, 'w', 0o600);
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
      if (count === 0) rmSync(path);
    },
  };
}
