import type { FieldKind } from '@crm/contract';
import { compare, isLike } from '../query/values.ts';
import type { Json } from '../system/api.ts';
import { equalities, orders } from './known.ts';

/** The query language, implemented a second time in the simplest way: what the response of a list must be. */

export type Operator = '$in' | '$nin' | '$ne' | '$lt' | '$lte' | '$gt' | '$gte' | '$like';
export type Value = string | number | boolean | null;

export interface Filter {
  readonly field: string;
  /** Equality and repeated equality are `$in` as well. */
  readonly operator: Operator;
  readonly values: readonly Value[];
}

export interface Question {
  readonly filters: readonly Filter[];
  /** At least one group must match, unless there are none. */
  readonly groups: readonly (readonly Filter[])[];
  readonly sort: readonly (readonly [field: string, direction: 1 | -1])[];
  readonly limit: number;
  readonly skip: number;
  readonly select: readonly string[] | undefined;
}

export interface Modelled {
  readonly resource: string;
  readonly kinds: ReadonlyMap<string, FieldKind>;
  readonly records: readonly Json[];
}

export function answerTo({ resource, kinds, records }: Modelled, question: Question) {
  const holds = (record: Json) => (filter: Filter) => meets(record, filter, resource, kinds);
  const matching = records.filter(
    (record) =>
      question.filters.every(holds(record)) &&
      (question.groups.length === 0 || question.groups.some((group) => group.every(holds(record)))),
  );
  const sort = question.sort.length > 0 ? question.sort : (orders[resource] ?? []);
  const sorted = matching.toSorted((a, b) => {
    for (const [field, direction] of sort) {
      const [left, right] = [a, b].map((record) => comparable(record[field], kinds.get(field)));
      const order = compareWithNull(left, right) * direction;
      if (order !== 0) return order;
    }
    return (Number(a.id) - Number(b.id)) * (sort.at(-1)?.[1] ?? 1);
  });
  const page = sorted.slice(question.skip, question.skip + question.limit);
  const { select } = question;
  const shown = select ? page.map((record) => only(record, ['id', ...select])) : page;
  return { total: matching.length, limit: question.limit, skip: question.skip, data: shown };
}

function only(record: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

function meets(record: Json, filter: Filter, resource: string, kinds: Modelled['kinds']): boolean {
  const { field, operator, values } = filter;
  const stored = comparable(record[field], kinds.get(field));
  const equals = (value: Value) => isEqual(stored, value, `${resource}.${field}`, kinds.get(field));
  const [value = null] = values;
  switch (operator) {
    case '$in':
      return values.some(equals);
    case '$nin':
      return !values.some(equals);
    case '$ne':
      return !equals(value);
    case '$like':
      return typeof stored === 'string' && isLike(stored, String(value));
    default:
      return stored !== null && signs[operator](compare(stored, moment(value, kinds.get(field))));
  }
}

const signs: Readonly<Record<'$lt' | '$lte' | '$gt' | '$gte', (order: number) => boolean>> = {
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
};

/** What a shown value is compared by. */
function comparable(value: unknown, kind: FieldKind | undefined): unknown {
  if (kind === 'localTime') return inLocalTime(value);
  return kind === 'duration' && typeof value === 'string' ? secondsIn(value) : value;
}

function isEqual(stored: unknown, value: Value, name: string, kind: FieldKind | undefined): boolean {
  // A query string has no other way to ask for a text that is missing.
  if (value === '' && kind === 'text') return stored === null || stored === '';
  if (stored === null || value === null) return stored === value;
  const special = equalities[name];
  return special ? special(String(stored), String(value)) : stored === moment(value, kind);
}

/** The local times of one user are in one zone, so they are in the order of their texts. */
function inLocalTime<Of>(value: Of): Of | string {
  return typeof value === 'string' ? Temporal.PlainDateTime.from(value).toString() : value;
}

/** A date means its first instant in UTC. */
function moment(value: Value, kind: FieldKind | undefined): Value {
  if (typeof value !== 'string') return value;
  if (kind === 'localTime') return inLocalTime(value);
  if (kind === 'duration') return secondsIn(value);
  return kind === 'instant' ? new Date(value).toISOString() : value;
}

/** The seconds of hours, minutes and seconds. */
const secondsIn = (text: string): number => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/** A missing value comes after all others. */
function compareWithNull(a: unknown, b: unknown): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compare(a, b);
}
