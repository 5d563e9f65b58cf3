import { isContains, isOverlap, type Rule } from '@crm/auth';
import type { Comparison, Condition, FieldKind, Scalar } from '@crm/contract';

/** The column or expression of a field of a view. */
export interface Column {
  readonly kind: FieldKind;
  /** SQL with the table's alias, or a function that builds it with bound values; never contains input of a caller. */
  readonly sql: string | ((binds: Binds) => string);
  /** Replaces equality with any of some values, for example to ignore case. */
  readonly equals?: (values: readonly Scalar[], binds: Binds) => string;
  /** For a list: replaces the check for one of some values, if the index is on another table. */
  readonly overlaps?: (values: readonly string[], binds: Binds) => string;
}

export type Columns = Readonly<Record<string, Column>>;

/** The values of one statement. A value is always bound, never part of the text. */
export class Binds {
  readonly values: unknown[] = [];

  /** Adds a value and returns its placeholder. The statement must use it: PostgreSQL rejects unused values. */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

export const types: Record<FieldKind, string> = {
  // Wider than the columns, so that a number that is too large finds nothing instead of failing.
  integer: 'bigint',
  number: 'numeric',
  boolean: 'boolean',
  instant: 'timestamptz',
  localTime: 'timestamptz',
  duration: 'bigint',
  text: 'text',
};

const signs: Record<Exclude<Comparison, '$ne' | '$like'>, string> = {
  $lt: '<',
  $lte: '<=',
  $gt: '>',
  $gte: '>=',
};

/** Conditions joined by `and`; `true` if there are none. */
export function all(...parts: readonly string[]): string {
  return parts.filter((part) => part !== 'true').join(' and ') || 'true';
}

/** Conditions joined by `or`. */
const any = (parts: readonly string[]) => `(${parts.map((part) => `(${part})`).join(' or ')})`;

/**
 * SQL for conditions that must all be met; `true` for none. The text depends only on the fields, operators and numbers
 * of values.
 */
export function sqlOfConditions(conditions: readonly Condition[], columns: Columns, binds: Binds): string {
  return all(...conditions.map((condition) => sqlOfCondition(condition, columns, binds)));
}

function sqlOfCondition(condition: Condition, columns: Columns, binds: Binds): string {
  if ('any' in condition) return any(condition.any.map((group) => sqlOfConditions(group, columns, binds)));
  const column = columnOf(condition.field, columns);
  if (condition.op === '$in') return sqlOfIn(condition.value, column, binds);
  // `$ne` and `$nin` are the exact opposites of equality and `$in`: null differs from every value.
  if (condition.op === '$nin') return `(${sqlOfIn(condition.value, column, binds)}) is not true`;
  if (condition.op === '$ne') return `(${sqlOfIn([condition.value], column, binds)}) is not true`;
  const sql = sqlOf(column, binds);
  // Without an escape character, a backslash is an ordinary character, and a pattern cannot end in half an escape.
  if (condition.op === '$like') return `${sql} ilike ${binds.add(condition.value)}::text escape ''`;
  return `${sql} ${signs[condition.op]} ${binds.add(condition.value)}::${types[column.kind]}`;
}

/**
 * Up to this many values are bound one by one: for an array, a generic plan expects ten values and avoids the index. Fewer values
 * are padded with the last one, so that they share a statement.
 */
const few = 4;
const firstFew = (values: readonly Scalar[]) =>
  Array.from({ length: few }, (_, at) => values[at] ?? values.at(-1));

function sqlOfIn(values: readonly Scalar[], column: Column, binds: Binds): string {
  const present = values.filter((value) => value !== null);
  // Called only where it is used, because PostgreSQL rejects a statement with an unused value.
  const sql = () => sqlOf(column, binds);
  const among = () =>
    column.equals?.(present, binds) ?? isAmong({ kind: column.kind, sql: sql() }, present, binds);
  if (present.length === values.length) return values.length === 0 ? 'false' : among();
  return present.length === 0 ? `${sql()} is null` : `(${sql()} is null or ${among()})`;
}

/** SQL for whether a column has one of some values, which are not null; `through` may wrap each in SQL. */
export function isAmong(
  { kind, sql }: { readonly kind: FieldKind; readonly sql: string },
  values: readonly Scalar[],
  binds: Binds,
  through?: (value: string) => string,
): string {
  const read = through ?? ((value) => value);
  const bound = (value: Scalar | undefined) => read(`${binds.add(value)}::${types[kind]}`);
  if (values.length === 1) return `${sql} = ${bound(values[0])}`;
  if (values.length <= few) return `${sql} in (${firstFew(values).map(bound).join(', ')})`;
  const list = `${binds.add(values)}::${types[kind]}[]`;
  return `${sql} = any(${through ? `array(select ${through('v')} from unnest(${list}) v)` : list})`;
}

/** Equality of a text with any of some values, ignoring case. An index on `lower` of the text supports it. */
export const inAnyCase =
  (sql: string): Column['equals'] =>
  (values, binds) =>
    `lower(${sql}) = any(array(select lower(v) from unnest(${binds.add(values)}::text[]) v))`;

/** SQL for a visibility rule, the same one that guards the entity manager. */
export function sqlOfRule(rule: Rule, columns: Columns, binds: Binds): string {
  const parts = Object.entries(rule).map(([field, value]) => {
    if (field === '$or') return any((value as readonly Rule[]).map((one) => sqlOfRule(one, columns, binds)));
    const column = columnOf(field, columns);
    // Not bound: a generic plan could not use a partial index of the records with this value.
    if (typeof value === 'boolean') return `${sqlOf(column, binds)} = ${value}`;
    if (isContains(value)) return `${sqlOf(column, binds)} @> ${binds.add(value.$contains)}::int[]`;
    if (isOverlap(value)) {
      if (column.overlaps) return column.overlaps(value.$overlap, binds);
      return `${sqlOf(column, binds)} && ${binds.add(value.$overlap)}::text[]`;
    }
    const values = (Array.isArray(value) ? value : [value]) as Scalar[];
    return sqlOfIn(values, column, binds);
  });
  return all(...parts);
}

/**
 * A rule for records that are found by something else, such as their ids. PostgreSQL does not use an index for it: with
 * statistics from before a large import, it would otherwise read everything that the rule allows.
 */
export const sqlOfFilter = (rule: Rule, columns: Columns, binds: Binds): string =>
  `(${sqlOfRule(rule, columns, binds)}) is true`;

export function sqlOf({ sql }: Column, binds: Binds): string {
  return typeof sql === 'string' ? sql : sql(binds);
}

export function columnOf(field: string, columns: Columns): Column {
  const column = columns[field];
  if (!column) throw new Error(`The field "${field}" has no column.`);
  return column;
}
