import type { Column } from './columns.ts';

/** A column and its value in one row. */
export interface Cell {
  readonly column: Column;
  readonly value: string;
}
