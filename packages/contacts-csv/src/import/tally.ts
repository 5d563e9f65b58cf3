import type { Outcome } from './outcome.ts';
import type { Remark } from './remark.ts';
import type { RemarksFile } from './remarks-file.ts';

interface Counts {
  rows: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
}

const firstCount = 5;

interface Tally {
  readonly counts: Counts;
  readonly firstErrors: readonly Remark[];
  readonly firstWarnings: readonly Remark[];
  add(outcomes: readonly Outcome[]): void;
}

/** Counts the outcomes of rows and writes their errors and warnings in the order of the file. */
export function tallyInto(errors: RemarksFile, warnings: RemarksFile): Tally {
  const counts: Counts = { rows: 0, created: 0, updated: 0, skipped: 0, failed: 0 };
  const firstErrors: Remark[] = [];
  const firstWarnings: Remark[] = [];
  const write = (file: RemarksFile, first: Remark[], outcome: Outcome, remarks: readonly Remark[]) => {
    file.add(outcome.row, remarks);
    first.push(...remarks.slice(0, firstCount - first.length));
  };
  return {
    counts,
    firstErrors,
    firstWarnings,
    add(outcomes) {
      counts.rows += outcomes.length;
      for (const outcome of outcomes.toSorted((a, b) => a.row.line - b.row.line)) {
        counts[outcome.kind]++;
        if (outcome.kind === 'failed') write(errors, firstErrors, outcome, outcome.errors);
        else write(warnings, firstWarnings, outcome, outcome.warnings);
      }
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
  /** Null if each row is imported for its owner. */
  readonly user_id: number | null;
  readonly dry_run: boolean;
  readonly ignored_columns: readonly string[];
  readonly errors: readonly Remark[];
  readonly errors_file: string | null;
  /** Of rows that were imported, and of those that were skipped for a contact with another name. */
  readonly warnings: readonly Remark[];
  readonly warned: number;
  readonly warnings_file: string | null;
  readonly stopped: Stop | null;
}
