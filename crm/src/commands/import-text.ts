import type { ImportSummary, Stop } from '@crm/contacts-csv';
import { printable } from '../printable.ts';

/** The summary of an import for a person. */
export function importText(summary: ImportSummary): string {
  const { rows, dry_run, created, updated, skipped, failed, stopped, errors, errors_file } = summary;
  const counts = `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
  const lines = [
    dry_run ? `Dry run, nothing was written. Of ${rows} rows: ${counts}.` : `Of ${rows} rows: ${counts}.`,
    ...errors.map(
      ({ line, column, reason }) =>
        `  line ${line}${column && `, ${printable(column)}`}: ${printable(reason)}`,
    ),
    ...(errors_file === null ? [] : [`All errors are in ${printable(errors_file)}.`]),
    ...(stopped ? [stopText(stopped)] : []),
  ];
  return lines.join('\n');
}

function stopText({ line, reason }: Stop): string {
  const where = line === null ? '' : ` at the row that starts on line ${line}`;
  return `The import stopped${where}: ${printable(reason)}. The rows before that are counted above. It can be rerun and creates nothing twice.`;
}
