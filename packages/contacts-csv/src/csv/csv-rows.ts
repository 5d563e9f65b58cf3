import { CsvError, parse } from 'csv-parse';
import { formulasAsTexts } from './formulas-as-texts.ts';
import { beginning, lineCount, type Place } from './line-count.ts';

export interface CsvRow {
  /** The line on which it starts. */
  readonly line: number;
  readonly cells: readonly string[];
  /** The byte offset at which it ends. */
  readonly end: number;
  /** The line at its end: the next line if the row has a line ending. */
  readonly endLine: number;
}

/** The bytes of a file, from a position where a row begins. */
export interface CsvSource {
  readonly chunks: AsyncIterable<Buffer>;
  readonly delimiter: string;
  readonly from?: Place;
}

export const csvLimits = { columns: 1_000, cell: 10_000 } as const;

/** More than any row needs. Without a limit, a quote that is never closed would make one cell of the rest of the file. */
const maxRowBytes = 8_000_000;

/** Thrown where the file is not valid CSV, after all rows before that line. */
export class BrokenCsv extends Error {
  override readonly name = 'BrokenCsv';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** The rows of a file, read no faster than they are consumed. Empty rows are skipped. */
export async function* csvRows({ chunks, delimiter, from = beginning }: CsvSource): AsyncGenerator<CsvRow> {
  const lines = lineCount(from);
  let ended = from.offset;
  const found: CsvRow[] = [];
  const parser = parserInto((cells, bytes) => {
    const line = lines.lineAfter(ended);
    ended = from.offset + bytes;
    if (cells.some((cell) => cell !== ''))
      found.push({ line, cells, end: ended, endLine: lines.lineAt(ended) });
  }, delimiter);
  for await (const chunk of formulasAsTexts(chunks, delimiter)) {
    lines.add(chunk);
    const error = await parser.write(chunk);
    yield* found.splice(0);
    if (error) throw new BrokenCsv(lines.lineAfter(ended), messageOf(error));
  }
  const error = await parser.end();
  yield* found.splice(0);
  if (error) throw new BrokenCsv(lines.lineAfter(ended), messageOf(error));
}

type OnRow = (cells: string[], end: number) => void;

/**
 * Rows are passed on as they are parsed. The stream's own queue would drop an unpredictable number of rows before a malformed
 * one.
 */
function parserInto(onRow: OnRow, delimiter: string) {
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: maxRowBytes,
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
    write: (chunk: Buffer) => settled((done) => parser.write(chunk, done)),
    end: () => settled((done) => parser.end(done)),
  };
}

const reasons: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a quote is followed by more text; a quote inside a cell must be doubled',
  INVALID_OPENING_QUOTE: 'a quote is in the middle of a cell that is not quoted as a whole',
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened and never closed',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: 'a quote is followed by more text',
  CSV_MAX_RECORD_SIZE: 'the row is too long; is a quote not closed?',
};

function messageOf(error: Error): string {
  return (error instanceof CsvError && reasons[error.code]) || error.message;
}
