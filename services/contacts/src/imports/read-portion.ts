import { BrokenCsv, type CsvRow, csvRows, type Place } from '@crm/contacts-csv';
import type { Query } from '@crm/data';
import { linesType } from './import.api.ts';
import { textFrom } from './part.queries.ts';
import type { Running } from './portion.queries.ts';
import { linesIn } from './read-lines.ts';

/** What does not change while a file is imported. */
export type FileForm = Pick<Running, 'type' | 'delimiter' | 'bytes'>;

/** Rows of a file that are imported together. */
export interface Portion {
  readonly rows: readonly CsvRow[];
  /** Where the next rows begin. */
  readonly next: Place;
  readonly isLast: boolean;
  /** Why no more rows can be read. */
  readonly broken: string | null;
}

/**
 * The number of rows that a transaction adds in a fraction of a second, or changes in a few seconds. It may take up to a
 * minute.
 */
export const sizeOf = ({ duplicates }: Pick<Running, 'duplicates'>): number =>
  duplicates === 'update' ? 200 : 1_000;

/** Far more than the rows of a portion need, unless they are very long. */
const portionBytes = 2_000_000;

/** The rows of a CSV file, with its headers. */
export const allRows = (query: Query, importId: number, { delimiter }: Pick<FileForm, 'delimiter'>) =>
  csvRows({ chunks: textFrom(query, importId, 0), delimiter: delimiter ?? ',' });

/** The next rows of a file, from a place where one begins: so many, or fewer if they are long. */
export async function readPortion(
  query: Query,
  importId: number,
  { type, delimiter, bytes }: FileForm,
  from: Place,
  size: number,
): Promise<Portion> {
  const rows: CsvRow[] = [];
  const placeAfter = (row: CsvRow | undefined): Place =>
    row ? { offset: row.end, line: row.endLine } : from;
  const chunks = textFrom(query, importId, from.offset);
  const found =
    type === linesType ? linesIn(chunks, from) : csvRows({ chunks, delimiter: delimiter ?? ',', from });
  try {
    for await (const row of found) {
      rows.push(row);
      if (rows.length === size || row.end - from.offset > portionBytes)
        return { rows, next: placeAfter(row), isLast: false, broken: null };
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    const broken = `Line ${error.line} cannot be read: ${error.message}. The rows before it were read.`;
    return { rows, next: placeAfter(rows.at(-1)), isLast: false, broken };
  }
  return { rows, next: { ...placeAfter(rows.at(-1)), offset: bytes }, isLast: true, broken: null };
}
