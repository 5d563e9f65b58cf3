import { printable } from '../printable.ts';
import type { ErrorsFile } from './errors-file.ts';
import type { Outcome } from './import-rows.ts';
import type { RowError } from './read-row.ts';

export interface Counts {
  rows: number;
  created: number;
  updated: number;
  skipped: number;
  failed: number;
}

const shownErrors = 5;

export interface Tally {
  readonly counts: Counts;
  readonly firstErrors: readonly RowError[];
  add(outcomes: readonly Outcome[]): void;
}

/** Counts what became of rows and keeps what was wrong, in the order of the file. */
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
      firstErrors.push(...errors.slice(0, shownErrors - firstErrors.length));
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

export function summaryText(summary: ImportSummary): string {
  const { rows, created, updated, skipped, failed, stopped, errors, errors_file } = summary;
  const counts = `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
  const verb = summary.dry_run ? 'Nothing was written. It would be' : 'Of';
  const of = summary.dry_run ? `${verb}, of ${rows} rows` : `${verb} ${rows} rows`;
  const lines = [
    `${of}: ${counts}.`,
    ...errors.map(
      ({ line, column, reason }) =>
        `  line ${line}${column && `, ${printable(column)}`}: ${printable(reason)}`,
    ),
    ...(errors_file === null ? [] : [`All errors are in ${printable(errors_file)}.`]),
    ...(stopped ? [stopSentence(stopped)] : []),
  ];
  return lines.join('\n');
}

function stopSentence({ line, reason }: Stop): string {
  const place = line === null ? '' : ` in the row that begins on line ${line}`;
  return `It stopped${place}: ${printable(reason)}. Nothing after that was done; what was done is counted above. Run again, it adds nothing twice.`;
}
