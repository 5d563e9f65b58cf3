import { BrokenCsv, type CsvRow, csvRows, type Place } from '@crm/contacts-csv';
import type { Query } from '@crm/data';
import { linesType } from './import.api.ts';
import { textFrom } from './part.queries.ts';
import type { Running } from './portion.queries.ts';
import { linesIn } from './read-lines.ts';

type Read = Pick<Running, 'type' | 'delimiter' | 'position' | 'line' | 'bytes'>;

/** The next rows of a file, read no faster than they are consumed. */
export interface Portion {
  readonly rows: AsyncIterable<CsvRow>;
  /** What was read, once all rows were consumed. */
  end(): PortionEnd;
}

interface PortionEnd {
  readonly count: number;
  /** Where the next rows begin. */
  readonly next: Place;
  readonly isLast: boolean;
  /** Why no more rows can be read. */
  readonly broken: string | null;
}

export function readPortion(
  query: Query,
  importId: number,
  { type, delimiter, position: offset, line, bytes }: Read,
  size: number,
): Portion {
  const from = { offset, line };
  let next = from;
  let count = 0;
  let broken: string | null = null;
  async function* rows(): AsyncGenerator<CsvRow> {
    const chunks = textFrom(query, importId, offset);
    const found =
      type === linesType ? linesIn(chunks, from) : csvRows({ chunks, delimiter: delimiter ?? ',', from });
    try {
      for await (const row of found) {
        next = { offset: row.end, line: row.endLine };
        count++;
        yield row;
        if (count === size) break;
      }
    } catch (error) {
      if (!(error instanceof BrokenCsv)) throw error;
      broken = `Line ${error.line} cannot be read: ${error.message}. The rows before it were read.`;
    }
  }
  return {
    rows: rows(),
    end() {
      const isLast = broken === null && count < size;
      return { count, next: isLast ? { ...next, offset: bytes } : next, isLast, broken };
    },
  };
}
