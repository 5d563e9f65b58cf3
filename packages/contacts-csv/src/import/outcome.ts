import type { CsvRow } from '../csv/csv-rows.ts';
import { headerAt, type ReadyRow } from './read-row.ts';
import type { Remark } from './remark.ts';

interface OfRow {
  readonly row: CsvRow;
  readonly warnings: readonly Remark[];
}

export type Outcome =
  | (OfRow & { readonly kind: 'created' | 'updated' | 'skipped' })
  | (OfRow & { readonly kind: 'failed'; readonly errors: readonly Remark[] });

/** A row that was refused, with the reasons by field, or with one that is about the whole row. */
export function failed(ready: ReadyRow, errors: Readonly<Record<string, string>>, message = ''): Outcome {
  const { row, warnings } = ready;
  const named = Object.entries(errors).map(([path, reason]) => {
    return { line: row.line, column: headerAt(path.split('.'), ready), reason };
  });
  const reasons = named.length > 0 ? named : [{ line: row.line, column: '', reason: message }];
  return { kind: 'failed', row, warnings, errors: reasons };
}
