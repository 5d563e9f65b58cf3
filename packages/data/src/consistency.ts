import type { Row } from './query.ts';

/** What holds for the rows of a service although no constraint of its tables enforces it, for `crm verify`. */
export interface Consistency {
  readonly rules: readonly RowRule[];
  readonly references: readonly Reference[];
  readonly derived?: readonly DerivedColumns[];
  readonly copies?: readonly Copy[];
}

/** Rows that must not exist. */
export interface RowRule {
  /** What is wrong with them: "communications that are due and wait without a reason". */
  readonly what: string;
  /** A query of their ids as `id`. */
  readonly wrong: string;
  /** What to do about them. */
  readonly advice: string;
  /** A statement that repairs those in `wrong` without loss. It may leave some. */
  readonly repair?: string;
}

/** A column with the ids of rows of another service, which no foreign key can guard. */
export interface Reference {
  readonly table: string;
  readonly column: string;
  /** Of which rows, `t`. */
  readonly where?: string;
  readonly to: { readonly service: string; readonly table: string };
  /**
   * The event of the removal that ends the reference, or `never` if the reference outlives what it names. Without it the
   * row that is named is never removed.
   */
  readonly endedBy?: `${string}.${string}.${string}` | 'never';
}

/** Columns that code computes from others of the same row. */
export interface DerivedColumns {
  readonly table: string;
  readonly from: readonly string[];
  readonly columns: readonly string[];
  readonly derive: (row: Row) => Row;
}

/** Rows that repeat those of another service with the same `id` and `version`, which its events keep up to date. */
export interface Copy {
  readonly table: string;
  readonly columns: readonly string[];
  readonly where: string;
  readonly of: { readonly service: string; readonly table: string };
  /** The events that bring the rows. */
  readonly events: readonly string[];
}

/** References to rows of a table of another service, given as `table.column`. */
export function referencesTo(
  to: Reference['to'],
  columns: readonly string[],
  more: Pick<Reference, 'endedBy' | 'where'> = {},
): Reference[] {
  return columns.map((name) => {
    const [table = '', column = ''] = name.split('.');
    return { table, column, to, ...more };
  });
}
