import { decisive, type FieldKind, type Find } from '@crm/contract';
import { all, type Binds, type Columns, columnOf, sqlOf, types } from './sql.ts';

/** What a list is ordered by. The last key is the id, so that no two records are equal. */
export interface SortKey {
  readonly name: string;
  readonly kind: FieldKind;
  readonly direction: 1 | -1;
}

export interface SqlKey extends SortKey {
  readonly sql: string;
}

/** The keys of an order, with their columns or expressions. */
export function sqlKeys(sort: Find['sort'], columns: Columns, binds: Binds): SqlKey[] {
  return decisive(sort).map(([name, direction]) => {
    const column = columnOf(name, columns);
    return { name, kind: column.kind, direction, sql: sqlOf(column, binds) };
  });
}

const inDirection = (sql: string, direction: 1 | -1) => `${sql} ${direction === 1 ? 'asc' : 'desc'}`;

/** SQL that orders by keys. A missing value comes last, or first in a descending order. */
export const sqlOfOrder = (keys: readonly SqlKey[]): string =>
  keys.map(({ sql, direction }) => inDirection(sql, direction)).join(', ');

/** The value of each key of a record as text, or null: a position in an order, even if the record no longer exists. */
export type PlaceInOrder = readonly (string | null)[];

/** A key with its value at a position: null if it is missing there, otherwise a text or, in SQL, a placeholder. */
export type Placed<Key extends SortKey> = Key & { readonly value: string | null };

/** The keys of an order with the values of a position. */
export const placedAt = <Key extends SortKey>(keys: readonly Key[], place: PlaceInOrder): Placed<Key>[] =>
  keys.map((key, at) => ({ ...key, value: place[at] ?? null }));

/** The keys of an order with placeholders for the values of a position. Each value is bound once. */
export const bindPlace = (keys: readonly SqlKey[], place: PlaceInOrder, binds: Binds): Placed<SqlKey>[] =>
  placedAt(keys, place).map((key) => ({
    ...key,
    value: key.value === null ? null : `${binds.add(key.value)}::${types[key.kind]}`,
  }));

/** One part of the records after a position: some keys are equal, and the next one compares as given. */
interface PartAfter<Key extends SortKey> {
  readonly same: readonly Placed<Key>[];
  readonly key: Placed<Key>;
  readonly than: '>' | '<' | 'missing' | 'present';
  /** The keys that the part does not restrict. */
  readonly behind: readonly Placed<Key>[];
}

/** The parts of the records after a position in an order. No record is in two of them. */
export function partsAfter<Key extends SortKey>(place: readonly Placed<Key>[]): PartAfter<Key>[] {
  return place.flatMap((key, at) => {
    const part = (than: PartAfter<Key>['than']) => ({
      same: place.slice(0, at),
      key,
      than,
      behind: place.slice(at + 1),
    });
    const isMissing = key.value === null;
    if (key.direction === -1) return [part(isMissing ? 'present' : '<')];
    if (isMissing) return [];
    return key.name === 'id' ? [part('>')] : [part('>'), part('missing')];
  });
}

/** SQL for the records after a position whose values have been bound. */
export function sqlOfAfter(place: readonly Placed<SqlKey>[]): string {
  return `(${partsAfter(place).map(sqlOfPart).join(' or ')})`;
}

const sqlOfPart = ({ same, key, than }: PartAfter<SqlKey>) =>
  all(...same.map(sqlOfSame), sqlOfComparison(key, than));

const sqlOfSame = ({ sql, value }: Placed<SqlKey>) =>
  value === null ? `${sql} is null` : `${sql} = ${value}`;

function sqlOfComparison({ sql, value }: Placed<SqlKey>, than: PartAfter<SqlKey>['than']): string {
  if (than === 'missing') return `${sql} is null`;
  return than === 'present' ? `${sql} is not null` : `${sql} ${than} ${value}`;
}

/** A condition for some of an owner's records, and their order in an index that starts with the owner. */
interface Range {
  readonly where: string;
  readonly order: string;
}

/**
 * All records of an owner, as a range and ordered by owner, which only an index that starts with the owner supports: with
 * equality, the planner would also consider the primary key and scan the records of all users to find this owner's.
 */
export const rangeOf = (keys: readonly SqlKey[], column: string, id: string): Range => ({
  where: `${column} between ${id} and ${id}`,
  // In the direction of the order, so that one index serves both.
  order: `${inDirection(column, keys[0]?.direction ?? 1)}, ${sqlOfOrder(keys)}`,
});

/** The records of an owner after a position, in parts that each begin at one place of an index with the owner and the keys. */
export function rangesAfter(place: readonly Placed<SqlKey>[], column: string, id: string): Range[] {
  const owner = { sql: column, value: id };
  return partsAfter(place).map((part) => {
    const { same, key, than, behind } = part;
    // A column that is equal in all records takes the direction of the key after it, so that an index has the order.
    const direction = than === 'missing' ? (behind[0] ?? key).direction : than === '>' ? 1 : -1;
    const isOfIds = key.name === 'id' && same.every(({ value }) => value !== null);
    return {
      where: isOfIds ? idsAfter(owner, same, key, than === '>') : all(`${column} = ${id}`, sqlOfPart(part)),
      order: [
        ...[owner, ...same, key].map(({ sql }) => inDirection(sql, direction)),
        ...(behind.length > 0 ? [sqlOfOrder(behind)] : []),
      ].join(', '),
    };
  });
}

type Compared = Pick<Placed<SqlKey>, 'sql' | 'value'>;

/**
 * A row comparison that cannot use the primary key. Comparing the id alone could; with any other key, or one that may be null,
 * the primary key does not apply. The owner is compared once more, because the planner would otherwise expect far too many rows
 * and consider every index equally good. Of several conditions on the first column, an index scan in PostgreSQL 18 starts at one
 * with `>` rather than `>=`, but at one with `<=` rather than `<`; tests check the plans of lists.
 */
function idsAfter(owner: Compared, same: readonly Compared[], id: Compared, isAscending: boolean): string {
  const rows = (sign: string, ...compared: readonly Compared[]) =>
    `(${compared.map(({ sql }) => sql).join(', ')}) ${sign} (${compared.map(({ value }) => value).join(', ')})`;
  return all(
    isAscending
      ? rows('>', owner, ...same, id)
      : `${rows('<=', owner, ...same, id)} and ${id.sql} <> ${id.value}`,
    same.length > 0 ? rows(isAscending ? '<=' : '>=', owner, ...same) : 'true',
    `${owner.sql} between ${owner.value} and ${owner.value}`,
  );
}
