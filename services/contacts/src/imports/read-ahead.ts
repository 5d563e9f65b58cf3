import { type CsvRow, type ImportRun, readPolitely } from '@crm/contacts-csv';
import type { Portion } from './read-portion.ts';

type Read = ReturnType<ImportRun['read']>;

/** A portion whose rows may have been read already, by a run of the portion before. */
export interface ReadPortion extends Portion {
  readonly readsBy?: string;
  readonly reads?: ReadonlyMap<CsvRow, Read>;
}

/** Portions that are read while those before them are written, by their imports and offsets. */
export interface Ahead {
  /** Takes what was read, if it begins there. */
  take(importId: number, offset: number): Promise<ReadPortion> | undefined;
  /** Reads what begins there, unless enough is read ahead already. */
  begin(importId: number, offset: number, read: () => Promise<ReadPortion>): void;
}

interface Kept {
  readonly offset: number;
  readonly since: number;
  readonly portion: Promise<ReadPortion>;
}

/** So few that their rows need no memory worth mentioning. */
const mostKept = 4;
/** Of imports that were canceled, or that another instance goes on with. */
const longestMs = 60_000;

export function portionsAhead(): Ahead {
  const kept = new Map<number, Kept>();
  return {
    take(importId, offset) {
      const found = kept.get(importId);
      kept.delete(importId);
      return found?.offset === offset ? found.portion : undefined;
    },
    begin(importId, offset, read) {
      const since = performance.now();
      for (const [id, other] of kept) if (since - other.since > longestMs) kept.delete(id);
      if (kept.size >= mostKept) return;
      const portion = read();
      // Thrown when it is its turn.
      portion.catch(() => undefined);
      kept.set(importId, { offset, since, portion });
    },
  };
}

/** Reads the rows of a portion like those of the portion before. */
export async function readAsBefore(portion: Portion, run: ImportRun): Promise<ReadPortion> {
  const reads = await readPolitely(portion.rows, (row) => [row, run.read(row)] as const);
  return { ...portion, readsBy: run.readsBy, reads: new Map(reads) };
}

/** A run that reads no row again that was read in the same way. */
export function knowing({ readsBy, reads }: ReadPortion, run: ImportRun): ImportRun {
  if (!reads || readsBy !== run.readsBy) return run;
  return { ...run, read: (row) => reads.get(row) ?? run.read(row) };
}
