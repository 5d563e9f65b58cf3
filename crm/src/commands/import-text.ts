import type { ImportSummary, Stop } from '@crm/contacts-csv';
import { printable } from '../printable.ts';

/** The summary of an import for a person. */
export function importText(summary: ImportSummary): string {
  const { rows, dry_run, created, updated, skipped, failed, stopped } = summary;
  const counts = `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
  const lines = [
    dry_run ? `Dry run, nothing was written. Of ${rows} rows: ${counts}.` : `Of ${rows} rows: ${counts}.`,
    ...ignoredText(summary.ignored_columns),
    ...summary.errors.map(remarkText),
    ...(summary.errors_file === null
      ? []
      : [
          `All rows with errors are in ${printable(summary.errors_file)}. Fix them there and import that file.`,
        ]),
    ...(summary.warned === 0 ? [] : [`Rows with warnings: ${summary.warned}.`]),
    ...summary.warnings.map(remarkText),
    ...(summary.warnings_file === null ? [] : [`All of them are in ${printable(summary.warnings_file)}.`]),
    ...(stopped ? [stopText(stopped)] : []),
  ];
  return lines.join('\n');
}

function ignoredText(columns: readonly string[]): string[] {
  if (columns.length === 0) return [];
  return [
    `Columns that are not imported: ${printable(columns.join(', '))}. --map "Header=field" imports one, --map "*=custom" --create-missing all of them as custom fields.`,
  ];
}

const remarkText = ({ line, column, reason }: ImportSummary['errors'][number]): string =>
  `  line ${line}${column && `, ${printable(column)}`}: ${printable(reason)}`;

function stopText({ line, reason }: Stop): string {
  const where = line === null ? '' : ` at the row that starts on line ${line}`;
  return `The import stopped${where}: ${printable(reason)}. The rows before that are counted above. You can rerun the import; it creates nothing twice.`;
}
