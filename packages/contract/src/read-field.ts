import { type FieldDetail, type FieldError, unknown } from './field-error.ts';
import type { FieldKind } from './filterable.ts';
import { isRecord, listOf } from './list-of.ts';
import { isError, readScalar, type Scalar, type Values } from './read-scalar.ts';

const comparisons = ['$ne', '$lt', '$lte', '$gt', '$gte', '$like'] as const;
export type Comparison = (typeof comparisons)[number];

/** What a record must satisfy. Every field and operator in it is known, never a text of the caller. */
export type Condition =
  | { readonly field: string; readonly op: '$in' | '$nin'; readonly value: readonly Scalar[] }
  | { readonly field: string; readonly op: Comparison; readonly value: Scalar }
  | { readonly any: readonly (readonly Condition[])[] };

/** An error about one parameter; `path` leads to it. Without a reason, it is about the value. */
export interface ValidationError extends Partial<FieldDetail> {
  readonly path: readonly string[];
  readonly message: string;
}

export const limits = { depth: 3, conditions: 100, values: 1000, likes: 5, like: 100 };

export const tooManyConditions = `The request has more than ${limits.conditions} conditions.`;

const operators: readonly string[] = [...comparisons, '$in', '$nin'];

export interface Position {
  readonly errors: ValidationError[];
  readonly path: readonly string[];
  readonly depth: number;
  /** Empty within a group. */
  readonly parameters: readonly string[];
  /** Shared by all groups of one request. */
  readonly left: { conditions: number; likes: number };
}

interface Field extends Values {
  readonly name: string;
  readonly kind: FieldKind;
}

/**
 * Reads the conditions on one field, all of which must match. `a=1&a[$ne]=2` arrives as `["1", { $ne: "2" }]`, and with more
 * values as `{ 0: "1", 1: "3", $ne: "2" }`.
 */
export function readField(field: Field, value: unknown, at: Position): Condition[] {
  const entries = Object.entries(isRecord(value) ? value : [value].flat());
  const listed = entries.filter(([key]) => isIndex(key)).map(([, one]) => one);
  if ([value, ...listed].some((one) => isRecord(one) && Object.keys(one).length === 0))
    return addError(at, 'has no value');
  const values = listed.filter((one) => !isRecord(one));
  const operations = [
    ...entries.filter(([key]) => !isIndex(key)),
    ...listed.filter(isRecord).flatMap(Object.entries<unknown>),
  ];
  const hasValues = values.length > 0 || operations.length === 0;
  // The first one was already counted with the name.
  at.left.conditions -= operations.length - (hasValues ? 0 : 1);
  if (at.left.conditions < 0) return addError(at, tooManyConditions);
  return [
    ...(hasValues ? [{ field: field.name, op: '$in' as const, value: readValues(values, field, at) }] : []),
    ...operations.flatMap(([op, operand]) => readOperator(field, op, operand, at)),
  ];
}

const isIndex = (key: string) => /^\d+$/.test(key);

function readOperator(field: Field, op: string, operand: unknown, at: Position): Condition[] {
  const here = { ...at, path: [...at.path, op] };
  if (op === '$in' || op === '$nin') {
    const values = listOf(operand) ?? [operand];
    return [{ field: field.name, op, value: readValues(values, field, here) }];
  }
  if (!isComparison(op)) return addError(here, unknown('operator', op, operators));
  if (Array.isArray(operand)) return addError(here, 'is given more than once');
  if (op === '$like') return readLike(field, operand, here);
  const exact = op === '$ne';
  const value = readScalar(operand, field.kind, exact ? field : {});
  if (isError(value)) return addError(here, value);
  if (value === '' && exact) return [{ field: field.name, op: '$nin', value: withNull([value]) }];
  if (value === null && !exact) return addError(here, 'cannot be compared with null');
  return [{ field: field.name, op, value }];
}

function readLike({ name, kind }: Field, operand: unknown, at: Position): Condition[] {
  if (kind !== 'text') return addError(at, 'is only supported for text fields');
  const value = readScalar(operand, 'text');
  if (typeof value !== 'string') return addError(at, 'must be a string such as %smith%');
  if (at.left.likes-- <= 0) {
    return addError(
      at,
      `A query may use $like at most ${limits.likes} times. Use = or $in for known values, or send several requests.`,
    );
  }
  if ([...value].length > limits.like) return addError(at, `must have at most ${limits.like} characters`);
  return [{ field: name, op: '$like', value }];
}

function readValues(values: readonly unknown[], field: Field, at: Position): Scalar[] {
  if (values.length > limits.values) return addError(at, `must have at most ${limits.values} values`);
  const read = values.flatMap((raw) => {
    const value = readScalar(raw, field.kind, field);
    return isError(value) ? addError(at, value) : [value];
  });
  return withNull(read);
}

/** In a query string, an empty string means "no value", so it also matches a missing text. */
const withNull = (values: Scalar[]): Scalar[] => (values.includes('') ? [...values, null] : values);

function isComparison(op: string): op is Comparison {
  return comparisons.some((one) => one === op);
}

/** Records an error and returns no conditions, so that a response reports all errors of a request at once. */
export function addError({ errors, path }: Position, error: string | FieldError): [] {
  errors.push({ path, ...(typeof error === 'string' ? { message: error } : error) });
  return [];
}
