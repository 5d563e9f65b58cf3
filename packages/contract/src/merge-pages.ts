import { decisive } from './decisive.ts';
import type { Find } from './read-find.ts';

interface Page<Row> {
  readonly total: number;
  readonly data: readonly Row[];
}

type Row = { readonly id: string | number };

/** One page of the rows of several services, each of which has returned its first rows in the same order. */
export function mergePages<Of extends Row>(
  pages: readonly Page<Of>[],
  { sort, skip, limit, select }: Pick<Find, 'sort' | 'skip' | 'limit' | 'select'>,
) {
  const rows = pages.flatMap(({ data }) => data).toSorted(inOrder(decisive(sort)));
  const data = rows.slice(skip, skip + limit);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  return { total, limit, skip, data: select ? data.map((row) => only(row, ['id', ...select])) : data };
}

function inOrder(sort: Find['sort']) {
  return (a: Row, b: Row): number => {
    for (const [field, direction] of sort) {
      const order = compare(fieldOf(a, field), fieldOf(b, field));
      if (order !== 0) return order * direction;
    }
    return 0;
  };
}

const fieldOf = (row: Row, field: string) => (row as Readonly<Record<string, unknown>>)[field] ?? null;

/** A missing value comes after all others, as in PostgreSQL. */
function compare(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  return left < right ? -1 : Number(left > right);
}

function only<Of extends Row>(row: Of, names: readonly string[]): Of {
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))) as Of;
}
