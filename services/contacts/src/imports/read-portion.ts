import { BrokenCsv, type CsvRow, csvRows, type Place } from '@crm/contacts-csv';
import type { Query } from '@crm/data';
import { linesType } from './import.api.ts';
import { textFrom } from './part.queries.ts';
import type { Running } from './portion.queries.ts';
import { linesIn } from './read-lines.ts';

type Read = Pick<Running, 'type' | 'delimiter' | 'position' | 'line' | 'bytes'>;

/** The next rows of a file. */
export interface Portion {
  readonly rows: readonly CsvRow[];
  /** Where the next ones begin. */
  readonly next: Place;
  readonly isLast: boolean;
  /** Why no more rows can be read. */
  readonly broken: string | null;
}

export async function readPortion(
  query: Query,
  importId: number,
  { type, delimiter, position: offset, line, bytes }: Read,
  size: number,
): Promise<Portion> {
  const from = { offset, line };
  const chunks = textFrom(query, importId, offset);
  const found =
    type === linesType ? linesIn(chunks, from) : csvRows({ chunks, delimiter: delimiter ?? ',', from });
  const rows: CsvRow[] = [];
  let broken: string | null = null;
  try {
    for await (const row of found) {
      rows.push(row);
      if (rows.length === size) break;
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    broken = `Line ${error.line} cannot be read: ${error.message}. The rows before it were read.`;
  }
  const last = rows.at(-1);
  const next = last ? { offset: last.end, line: last.endLine } : from;
  const isLast = broken === null && rows.length < size;
  return { rows, next: isLast ? { ...next, offset: bytes } : next, isLast, broken };
}
