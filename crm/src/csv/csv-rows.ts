import { createReadStream } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import type { CsvFile } from './csv-file.ts';
import { lineCount } from './line-count.ts';

export interface CsvRow {
  /** The line on which it starts. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Where in the file it ends. */
  readonly end: number;
}

export const csvLimits = { columns: 200, cell: 10_000 } as const;

/** Thrown when the file cannot be read on as CSV; every row before that line has been answered. */
export class BrokenCsv extends Error {
  override readonly name = 'BrokenCsv';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** The rows of a file, one at a time and no faster than they are taken. Rows without any text are left out. */
export async function* csvRows(file: Pick<CsvFile, 'path' | 'delimiter'>): AsyncGenerator<CsvRow> {
  const lines = lineCount();
  let ended = 0;
  const found: CsvRow[] = [];
  const parser = parserInto((cells, end) => {
    const line = lines.lineAfter(ended);
    ended = end;
    if (cells.some((cell) => cell !== '')) found.push({ line, cells, end });
  }, file.delimiter);
  for await (const chunk of createReadStream(file.path) as AsyncIterable<Buffer>) {
    lines.take(chunk);
    const error = await parser.take(chunk);
    yield* found.splice(0);
    if (error) throw new BrokenCsv(lines.lineAfter(ended), reasonOf(error));
  }
  const error = await parser.end();
  yield* found.splice(0);
  if (error) throw new BrokenCsv(lines.lineAfter(ended), reasonOf(error));
}

type OnRow = (cells: string[], end: number) => void;

/**
 * Rows are taken as they are found. The stream's own queue would drop those before a broken one, and how many
 * would be chance.
 */
function parserInto(onRow: OnRow, delimiter: string) {
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    // A quote that is never closed would otherwise take the rest of the file for one cell.
    max_record_size: 4 * csvLimits.columns * csvLimits.cell,
    on_record: (cells: string[], { bytes }) => {
      onRow(cells, bytes);
      return null;
    },
  });
  let failure: Error | undefined;
  parser.on('error', (error) => {
    failure = error;
  });
  const settled = (act: (done: () => void) => void) =>
    new Promise<Error | undefined>((resolve) => {
      act(() => setImmediate(() => resolve(failure)));
    });
  return {
    take: (chunk: Buffer) => settled((done) => parser.write(chunk, done)),
    end: () => settled((done) => parser.end(done)),
  };
}

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a quote is followed by more text; one inside a cell is written twice',
  INVALID_OPENING_QUOTE: 'a quote stands in the middle of a cell that is not quoted as a whole',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'a quote is followed by more text',
  CSV_MAX_RECORD_SIZE: 'the row is longer than any can be; is a quote not closed?',
};

function reasonOf(error: Error): string {
  return (error instanceof CsvError && reasons[error.code]) || error.message;
}
