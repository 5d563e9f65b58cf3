import { choices, type FieldDetail, type FieldError } from './field-error.ts';
import { type FieldKind, type Filterable, isPart } from './filterable.ts';
import { suggestion } from './nearest.ts';
import { isError, readScalar, type Scalar } from './read-scalar.ts';

export type Comparison = '$ne' | '$lt' | '$lte' | '$gt' | '$gte' | '$like';

/** What a record must satisfy. Every field and operator in it is known, none is text of the caller. */
export type Condition =
  | { readonly field: string; readonly op: '$in' | '$nin'; readonly value: readonly Scalar[] }
  | { readonly field: string; readonly op: Comparison; readonly value: Scalar }
  | { readonly any: readonly (readonly Condition[])[] };

/** An error about one parameter; `path` leads to it. Without a reason it is about the value. */
export interface ValidationError extends Partial<FieldDetail> {
  readonly path: readonly string[];
  readonly message: string;
}

const limits = { depth: 3, conditions: 100, values: 1000, likes: 5, like: 100 };

const comparisons: readonly string[] = ['$ne', '$lt', '$lte', '$gt', '$gte', '$like'];
const operators: readonly string[] = [...comparisons, '$in', '$nin'];
const groupOperators: readonly string[] = ['$or', '$and'];

/**
 * Reads filters: `{ rank: '2' }`, `{ rank: ['1', '2'] }`, `{ rank: { $gt: 1 } }`, `{ $or: [{ … }, { … }] }`.
 * Anything unknown is an error, because ignoring a filter would return records that nobody asked for.
 * `parameters` are what a request may have beside its filters: they are suggested for a misspelled name.
 */
export function readWhere(
  raw: Readonly<Record<string, unknown>>,
  fields: Filterable,
  parameters: readonly string[],
) {
  const errors: ValidationError[] = [];
  const conditions = readGroup(raw, fields, {
    errors,
    path: [],
    depth: 0,
    parameters,
    left: { conditions: limits.conditions, likes: limits.likes },
  });
  return { conditions, errors };
}

interface Position {
  readonly errors: ValidationError[];
  readonly path: readonly string[];
  readonly depth: number;
  /** None within a group. */
  readonly parameters: readonly string[];
  /** Shared by all groups of one request. */
  readonly left: { conditions: number; likes: number };
}

interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly choices: readonly string[] | undefined;
}

function readGroup(raw: Readonly<Record<string, unknown>>, fields: Filterable, at: Position): Condition[] {
  return Object.entries(raw).flatMap(([name, value]): Condition[] => {
    const here = { ...at, path: [...at.path, name] };
    if (value === undefined) return [];
    if (at.left.conditions-- <= 0) {
      return addError(here, `The request has more than ${limits.conditions} conditions.`);
    }
    if (name === '$or') return [{ any: readGroups(value, fields, here) }];
    if (name === '$and') return readGroups(value, fields, here).flat();
    if (isPart(name, fields.parts))
      return readField({ name, kind: 'text', choices: undefined }, texts(value), here);
    const kind = fields.kinds.get(name);
    if (kind) return readField({ name, kind, choices: fields.choices.get(name) }, value, here);
    return addError(here, unknownName(name, fields, at));
  });
}

/** The numbers in a condition as texts: only the service knows whether they should be numbers. */
function texts(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(texts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, texts(inner)]));
}

function unknownName(name: string, fields: Filterable, { parameters }: Position): string | FieldError {
  if (fields.parts.has(name)) return `needs the id of one, such as ${name}.12=…`;
  if (fields.nested.has(name)) return 'cannot be used as a filter';
  return unknown(name.startsWith('$') ? 'operator' : 'field', name, [
    ...fields.kinds.keys(),
    ...groupOperators,
    ...parameters,
  ]);
}

/** `Unknown field "nmae". Did you mean "name"?` */
export function unknown(what: string, name: string, known: readonly string[]): FieldError {
  return {
    message: `Unknown ${what} "${name.slice(0, 64)}".${suggestion(name, known)}`,
    reason: 'unknown_name',
    ...choices(name, known),
  };
}

function readGroups(value: unknown, fields: Filterable, at: Position): Condition[][] {
  const groups = listOf(value);
  if (!groups || groups.length === 0 || !groups.every(isRecord)) {
    return addError(at, 'must be a list of conditions, such as $or[0][name]=a&$or[1][name]=b');
  }
  if (at.depth >= limits.depth) return addError(at, `is nested more than ${limits.depth} levels deep`);
  return groups.map((group, index) =>
    readGroup(group, fields, {
      ...at,
      path: [...at.path, String(index)],
      depth: at.depth + 1,
      parameters: [],
    }),
  );
}

function readField(field: Field, value: unknown, at: Position): Condition[] {
  if (!isRecord(value)) {
    const values = Array.isArray(value) ? value : [value];
    return [{ field: field.name, op: '$in', value: readValues(values, field, at) }];
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return addError(at, 'has no value');
  return entries.flatMap(([op, operand]) => readOperator(field, op, operand, at));
}

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
  const value = readScalar(operand, field.kind, exact ? field.choices : undefined);
  if (isError(value)) return addError(here, value);
  if (value === '' && exact) return [{ field: field.name, op: '$nin', value: withNull([value]) }];
  if (value === null && !exact) return addError(here, 'cannot be compared with null');
  return [{ field: field.name, op, value }];
}

function readLike({ name, kind }: Field, operand: unknown, at: Position): Condition[] {
  if (kind !== 'text') return addError(at, 'is only supported for text fields');
  const value = readScalar(operand, 'text', undefined);
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

function readValues(values: readonly unknown[], { kind, choices }: Field, at: Position): Scalar[] {
  if (values.length > limits.values) return addError(at, `must have at most ${limits.values} values`);
  const read = values.flatMap((raw) => {
    const value = readScalar(raw, kind, choices);
    return isError(value) ? addError(at, value) : [value];
  });
  return withNull(read);
}

/** An empty string is how a query string says "no value", so it also matches a missing text. */
const withNull = (values: Scalar[]): Scalar[] => (values.includes('') ? [...values, null] : values);

/** Reads a list, also one that a query parser made of `a[0]=x&a[1]=y`: an object with whole numbers as keys. */
export function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  const keys = Object.keys(value);
  return keys.every((key) => /^\d+$/.test(key)) ? Object.values(value) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isComparison(op: string): op is Comparison {
  return comparisons.includes(op);
}

/** Records an error and returns no conditions, so that a response reports all errors of a request at once. */
function addError({ errors, path }: Position, error: string | FieldError): [] {
  errors.push({ path, ...(typeof error === 'string' ? { message: error } : error) });
  return [];
}
