import { type CsvRow, type ImportRun, type ReadyRow, readPolitely } from '@crm/contacts-csv';
import type { Portion } from './read-portion.ts';

type Read = ReturnType<ImportRun['read']>;

/** A portion whose rows may already have been read by the run of the previous portion. */
export interface ReadPortion extends Portion {
  readonly readsBy?: string;
  readonly reads?: ReadonlyMap<CsvRow, Read>;
}

/** Rows that are read while those before them are written, by their imports and offsets. */
export interface Ahead {
  /** Takes the rows that were read, if they begin there. */
  take(importId: number, offset: number): Promise<ReadPortion> | undefined;
  /** Reads the rows that begin there, unless they were already read or enough is read ahead. */
  begin(importId: number, offset: number, read: () => Promise<ReadPortion>): void;
}

interface Kept {
  readonly importId: number;
  readonly offset: number;
  readonly since: number;
  readonly portion: Promise<ReadPortion>;
}

/** So few that their rows need no memory worth mentioning. */
const mostKept = 4;
/** For imports that were canceled, or that another instance continues. */
const longestMs = 60_000;

export function portionsAhead(): Ahead {
  let kept: readonly Kept[] = [];
  return {
    take(importId, offset) {
      const found = kept.find((one) => one.importId === importId && one.offset === offset);
      kept = kept.filter((one) => one.importId !== importId || one.offset > offset);
      return found?.portion;
    },
    begin(importId, offset, read) {
      const since = performance.now();
      kept = kept.filter((one) => since - one.since <= longestMs);
      const isKept = kept.some((one) => one.importId === importId && one.offset === offset);
      if (isKept || kept.length >= mostKept) return;
      const portion = read();
      // Thrown when it is its turn.
      portion.catch(() => undefined);
      kept = [...kept, { importId, offset, since, portion }];
    },
  };
}

/** Reads rows in the same way as those of the previous portion. */
export async function readAsBefore(portion: Portion, run: ImportRun): Promise<ReadPortion> {
  const reads = await readPolitely(portion.rows, (row) => [row, run.read(row)] as const);
  return { ...portion, readsBy: run.readsBy, reads: new Map(reads) };
}

/** The rows of a portion as a run reads them, unless they were read in the same way. */
export const readBy = async (run: ImportRun, portion: ReadPortion): Promise<ReadPortion> =>
  portion.reads && portion.readsBy === run.readsBy ? portion : readAsBefore(portion, run);

/** A run that does not read any row again. */
export const knowing = ({ reads }: ReadPortion, run: ImportRun): ImportRun => ({
  ...run,
  read: (row) => reads?.get(row) ?? run.read(row),
});

export const readyRows = ({ reads, rows }: ReadPortion): ReadyRow[] =>
  rows.flatMap((row) => {
    const read = reads?.get(row);
    return read && 'draft' in read ? [read] : [];
  });

/** Whether a row of a portion opts somebody out of messages. */
export const optsOut = (portion: ReadPortion): boolean =>
  readyRows(portion).some(({ optOuts }) => optOuts.length > 0);

/** Divides rows that were read together into a portion of so many and the rest. */
export function divided(read: ReadPortion, size: number): readonly [ReadPortion, ReadPortion | undefined] {
  const last = read.rows[size - 1];
  if (!last || read.rows.length <= size) return [read, undefined];
  const next = { offset: last.end, line: last.endLine };
  const first = { ...read, rows: read.rows.slice(0, size), next, isLast: false, broken: null };
  return [first, { ...read, rows: read.rows.slice(size) }];
}
