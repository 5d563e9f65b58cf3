import { decisive, type FieldKind, type Find } from '@crm/contract';
import { all, type Binds, type Columns, columnOf, sqlOf, types } from './sql.ts';

/** What a list is ordered by. The last key is the id, so that no two records are at the same place. */
export interface SortKey {
  readonly name: string;
  readonly kind: FieldKind;
  readonly direction: 1 | -1;
}

export interface SqlKey extends SortKey {
  readonly sql: string;
}

/** The keys of an order, with the columns or expressions that they are. */
export function sqlKeys(sort: Find['sort'], columns: Columns, binds: Binds): SqlKey[] {
  return decisive(sort).map(([name, direction]) => {
    const column = columnOf(name, columns);
    return { name, kind: column.kind, direction, sql: sqlOf(column, binds) };
  });
}

const inDirection = (sql: string, direction: 1 | -1) => `${sql} ${direction === 1 ? 'asc' : 'desc'}`;

/** SQL that orders by keys. A missing value comes after all others, or before them in a descending order. */
export const sqlOfOrder = (keys: readonly SqlKey[]): string =>
  keys.map(({ sql, direction }) => inDirection(sql, direction)).join(', ');

/** The value of each key of a record as text, or null: a place in an order, even if the record no longer exists. */
export type Place = readonly (string | null)[];

/** A part of what follows a place: the same values up to a key, and one of these comparisons for that key. */
export interface PartAfter {
  /** The number of keys with the same value. */
  readonly same: number;
  readonly than: '>' | '<' | 'missing' | 'present';
}

/** The parts of what follows a place in an order. No record is in two of them. */
export function partsAfter(keys: readonly SortKey[], place: Place): PartAfter[] {
  return keys.flatMap(({ name, direction }, same): PartAfter[] => {
    const isMissing = (place[same] ?? null) === null;
    if (direction === -1) return [{ same, than: isMissing ? 'present' : '<' }];
    if (isMissing) return [];
    return name === 'id'
      ? [{ same, than: '>' }]
      : [
          { same, than: '>' },
          { same, than: 'missing' },
        ];
  });
}

/** The values of a place, bound once for all that compares with them. */
export const bindPlace = (keys: readonly SqlKey[], place: Place, binds: Binds): Place =>
  keys.map(({ kind }, at) => {
    const value = place[at] ?? null;
    return value === null ? null : `${binds.add(value)}::${types[kind]}`;
  });

/** SQL for what follows a place whose values have been bound. */
export function sqlOfAfter(keys: readonly SqlKey[], bound: Place): string {
  return `(${partsAfter(keys, bound)
    .map((part) => all(...sameAs(keys, bound, part), comparisonOf(keys, bound, part)))
    .join(' or ')})`;
}

const sameAs = (keys: readonly SqlKey[], bound: Place, { same }: PartAfter) =>
  keys.slice(0, same).map(({ sql }, at) => (bound[at] === null ? `${sql} is null` : `${sql} = ${bound[at]}`));

function comparisonOf(keys: readonly SqlKey[], bound: Place, { same, than }: PartAfter): string {
  const sql = keys[same]?.sql ?? '';
  if (than === 'missing') return `${sql} is null`;
  return than === 'present' ? `${sql} is not null` : `${sql} ${than} ${bound[same]}`;
}

/** A condition for some of an owner's records, and the order in which an index with the owner first has them. */
export interface Range {
  readonly where: string;
  readonly order: string;
}

/**
 * All records of an owner, as a range and ordered by owner, which only an index with the owner first supports: with equality
 * the planner would also consider the primary key, and scan the records of all users to find this owner's.
 */
export const rangeOf = (keys: readonly SqlKey[], column: string, id: string): Range => ({
  where: `${column} between ${id} and ${id}`,
  // In the direction of the order, so that one index serves both.
  order: `${inDirection(column, keys[0]?.direction ?? 1)}, ${sqlOfOrder(keys)}`,
});

/** What follows a place among the records of an owner, in parts that an index with the owner and the keys begins at. */
export function rangesAfter(keys: readonly SqlKey[], bound: Place, column: string, id: string): Range[] {
  return partsAfter(keys, bound).map((part) => {
    const { same, than } = part;
    const own = [column, ...keys.slice(0, same).map(({ sql }) => sql)];
    const at = [id, ...bound.slice(0, same)];
    const last = keys[same];
    if (!last) throw new Error('A part ends with a key.');
    const [next, ...others] = keys.slice(same + 1);
    // What is the same in all records is in the direction of the key behind it, so that an index has the order.
    const direction = than === 'missing' ? (next ?? last).direction : than === '>' ? 1 : -1;
    return {
      where: whereOf(keys, bound, part, own, at),
      order: [
        ...[...own, last.sql].map((sql) => inDirection(sql, direction)),
        ...(next ? [sqlOfOrder([next, ...others])] : []),
      ].join(', '),
    };
  });
}

function whereOf(
  keys: readonly SqlKey[],
  bound: Place,
  part: PartAfter,
  own: readonly string[],
  at: Place,
): string {
  const [column, id] = [own[0] ?? '', at[0] ?? ''];
  const last = keys[part.same];
  // An order that has more keys, or one that may be missing, is none that the primary key has.
  if (last?.name !== 'id' || at.includes(null))
    return all(`${column} = ${id}`, ...sameAs(keys, bound, part), comparisonOf(keys, bound, part));
  return idsAfter([...own, last.sql], [...at, bound[part.same] ?? ''], part.than === '>');
}

/**
 * A comparison of rows, in which the primary key does not take part. The owner is there once more, because the planner would
 * otherwise take the rows for far more than they are, and any index for as good. Of conditions for its first column, a scan of an
 * index begins at one with `>` rather than `>=`, but with `<=` rather than `<`.
 */
function idsAfter(columns: readonly string[], values: Place, isAscending: boolean): string {
  const rows = (sign: string, end?: number) =>
    `(${columns.slice(0, end).join(', ')}) ${sign} (${values.slice(0, end).join(', ')})`;
  return all(
    isAscending ? rows('>') : `${rows('<=')} and ${columns.at(-1)} <> ${values.at(-1)}`,
    columns.length > 2 ? rows(isAscending ? '<=' : '>=', -1) : 'true',
    `${columns[0]} between ${values[0]} and ${values[0]}`,
  );
}
