import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { CsvRow } from '../csv/csv-rows.ts';
import { byteOrderMark, csvText } from '../csv/write-csv.ts';
import { type Columns, errorColumns } from './columns.ts';
import type { ContactsFile } from './open-contacts-file.ts';
import type { Remark } from './remark.ts';

/** The remarks about a row, in one cell. */
export const reasonOf = (remarks: readonly Remark[]): string =>
  remarks.map(({ column, reason }) => (column === '' ? reason : `${column}: ${reason}`)).join('; ');

/**
 * A row of a file of errors. Cells without a header follow the reason. In their own places they would become cells of its
 * columns, and without them the row would be imported with values in wrong columns.
 */
export function remarkedRow(
  { headers, count }: Pick<Columns, 'headers' | 'count'>,
  { line, cells }: Pick<CsvRow, 'line' | 'cells'>,
  reason: string,
): string[] {
  const surplus = cells.slice(count);
  return [
    ...headers.map((_, index) => cells[index] ?? ''),
    String(line),
    reason,
    ...(surplus.some((cell) => cell !== '') ? surplus : []),
  ];
}

export interface RemarksFile {
  readonly path: string;
  readonly count: number;
  /** Adds a row with its remarks. */
  add(row: CsvRow, remarks: readonly Remark[]): void;
  /** Moves it to its path, or deletes it if it has no rows. */
  close(): void;
}

/**
 * A file with complete rows of the imported file, which can be fixed and imported as it is. The file of an earlier import is
 * set aside unless it is identical, because somebody may have fixed it. Opened before anything is imported, because an import
 * whose errors cannot be written must not start. First written under another name, because two imports of one file would write to
 * the same file.
 */
export function openRemarksFile(
  path: string,
  { columns, delimiter }: Pick<ContactsFile, 'columns' | 'delimiter'>,
): RemarksFile {
  const draft = `${path}.${randomUUID()}`;
  const file = openSync(draft, 'wx', 0o600);
  let count = 0;
  const write = (row: readonly string[]) => writeSync(file, csvText([row], delimiter));
  writeSync(file, byteOrderMark);
  write([...columns.headers, ...errorColumns]);
  return {
    path,
    get count() {
      return count;
    },
    add({ line, cells }, remarks) {
      if (remarks.length === 0) return;
      count++;
      write(remarkedRow(columns, { line, cells }, reasonOf(remarks)));
    },
    close() {
      closeSync(file);
      setAside(path, draft);
      if (count === 0) rmSync(draft, { force: true });
      else renameSync(draft, path);
    },
  };
}

/** Renames a file to include its modification time, unless the other file has the same content. */
function setAside(path: string, other: string): void {
  if (!existsSync(path) || readFileSync(path).equals(readFileSync(other))) return;
  const time = statSync(path).mtime.toISOString().slice(0, 19).replaceAll(':', '-');
  renameSync(path, path.replace(/\.csv$/, `.${time}.csv`));
}
