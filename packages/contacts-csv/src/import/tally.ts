import type { ErrorsFile } from './errors-file.ts';
import type { Outcome } from './import-rows.ts';
import type { RowError } from './read-row.ts';

interface Counts {
  rows: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
}

const firstErrorsCount = 5;

interface Tally {
  readonly counts: Counts;
  readonly firstErrors: readonly RowError[];
  add(outcomes: readonly Outcome[]): void;
}

/** Counts the outcomes of rows and writes their errors in the order of the file. */
export function tallyInto(errorsFile: ErrorsFile): Tally {
  const counts: Counts = { rows: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const firstErrors: RowError[] = [];
  return {
    counts,
    firstErrors,
    add(outcomes) {
      for (const { kind } of outcomes) counts[kind]++;
      counts.rows += outcomes.length;
      const errors = outcomes.flatMap((outcome) => (outcome.kind === 'failed' ? outcome.errors : []));
      errorsFile.add(errors.sort((a, b) => a.line - b.line));
      firstErrors.push(...errors.slice(0, firstErrorsCount - firstErrors.length));
    },
  };
}

/** Why an import ended before the end of the file. */
export interface Stop {
  readonly line: number | null;
  readonly reason: string;
}

export interface ImportSummary extends Counts {
  readonly file: string;
  readonly user_id: number;
  readonly dry_run: boolean;
  readonly ignored_columns: readonly string[];
  readonly errors: readonly RowError[];
  readonly errors_file: string | null;
  readonly stopped: Stop | null;
}
