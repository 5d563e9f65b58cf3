import { z } from 'zod';
import { isStorable, readInstant, readLocalTime } from './fields.ts';
import { suggestion } from './nearest.ts';

/** `localTime` is a moment too; what is asked of it without a zone is for the service to read in the caller's. */
export type FieldKind = 'integer' | 'number' | 'boolean' | 'instant' | 'localTime' | 'text';
export type Scalar = string | number | boolean | null;

export type Comparison = '$ne' | '$lt' | '$lte' | '$gt' | '$gte' | '$like';

/** What a record must satisfy, read and checked: no text of the caller is a name or an operator any more. */
export type Condition =
  | { readonly field: string; readonly op: '$in' | '$nin'; readonly value: readonly Scalar[] }
  | { readonly field: string; readonly op: Comparison; readonly value: Scalar }
  | { readonly any: readonly (readonly Condition[])[] };

/** A error about one parameter; `path` leads to it. */
export interface ValidationError {
  readonly path: readonly string[];
  readonly message: string;
}

/** What may be asked of the fields of a view: those that hold one value. Nested objects and arrays are left out. */
export interface Filterable {
  readonly kinds: ReadonlyMap<string, FieldKind>;
  readonly choices: ReadonlyMap<string, readonly string[]>;
  /** Fields that are there to be read and cannot be filtered or sorted by. */
  readonly nested: ReadonlySet<string>;
}

const limits = { depth: 3, conditions: 100, values: 1000, text: 2000, like: 100 };

const comparisons: readonly string[] = ['$ne', '$lt', '$lte', '$gt', '$gte', '$like'];
const operators: readonly string[] = [...comparisons, '$in', '$nin'];

/**
 * Reads the fields of a view: the same schema says what leaves, what is documented and what can be asked.
 * With `dotted`, also the fields of nested objects, as `team.id`.
 */
export function fieldKinds(view: z.ZodObject, { dotted = false }: { dotted?: boolean } = {}): Filterable {
  const kinds = new Map<string, FieldKind>();
  const choices = new Map<string, readonly string[]>();
  const nested = new Set<string>();
  const add = (name: string, schema: Json) => {
    const json = one(schema);
    const kind = kindOf(json);
    if (kind) kinds.set(name, kind);
    if (json.enum) choices.set(name, json.enum.map(String));
    return { kind, json };
  };
  for (const [name, schema] of Object.entries(view.shape)) {
    const { kind, json } = add(name, z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }));
    if (kind) continue;
    nested.add(name);
    if (!dotted) continue;
    for (const [part, inner] of Object.entries(json.properties ?? {})) {
      if (typeof inner === 'object') add(`${name}.${part}`, inner);
    }
  }
  return { kinds, choices, nested };
}

type Json = z.core.JSONSchema.BaseSchema;

/** In the metadata of a field that is shown and must not be asked for, such as a credential. */
export const notFilterable = 'x-not-filterable';

/** The format that says of a text in JSON Schema that it is a date and time without a zone. */
export const localTimeFormat = 'date-time-local';

/** The schema of the value itself, without «or null». */
function one(json: Json): Json {
  const value = json.anyOf?.find((option) => option.type !== 'null') ?? json;
  const [type] = [value.type].flat().filter((name) => name !== 'null');
  return { ...value, ...(type !== undefined && { type }) };
}

function kindOf({ type, format, [notFilterable]: unasked }: Json): FieldKind | undefined {
  if (unasked) return undefined;
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  if (type !== 'string') return undefined;
  if (format === 'date-time') return 'instant';
  return format === localTimeFormat ? 'localTime' : 'text';
}

/**
 * Reads filters: `{ rank: '2' }`, `{ rank: ['1', '2'] }`, `{ rank: { $gt: 1 } }`, `{ $or: [{ … }, { … }] }`.
 * What is unknown is refused, because ignoring it would answer a question nobody asked.
 */
export function readWhere(raw: Readonly<Record<string, unknown>>, fields: Filterable) {
  const errors: ValidationError[] = [];
  const conditions = readGroup(raw, fields, {
    errors,
    path: [],
    depth: 0,
    count: { left: limits.conditions },
  });
  return { conditions, errors };
}

interface Reading {
  readonly errors: ValidationError[];
  readonly path: readonly string[];
  readonly depth: number;
  /** Shared by all groups of one request. */
  readonly count: { left: number };
}

function readGroup(raw: Readonly<Record<string, unknown>>, fields: Filterable, at: Reading): Condition[] {
  return Object.entries(raw).flatMap(([name, value]): Condition[] => {
    const here = { ...at, path: [...at.path, name] };
    if (value === undefined) return [];
    if (at.count.left-- <= 0) return complain(here, `there are more than ${limits.conditions} conditions`);
    if (name === '$or') return readOr(value, fields, here);
    if (name === '$and') return readAnd(value, fields, here);
    const kind = fields.kinds.get(name);
    if (kind) return readField(name, kind, value, fields.choices.get(name), here);
    return complain(here, unknown(name, fields));
  });
}

function unknown(name: string, fields: Filterable): string {
  if (fields.nested.has(name)) return 'cannot be filtered by';
  const what = name.startsWith('$') ? 'operator' : 'field';
  return `unknown ${what}${suggestion(name, [...fields.kinds.keys(), '$limit', '$skip', '$sort', '$select', '$or'])}`;
}

function readOr(value: unknown, fields: Filterable, at: Reading): Condition[] {
  return [{ any: readGroups(value, fields, at) }];
}

function readAnd(value: unknown, fields: Filterable, at: Reading): Condition[] {
  return readGroups(value, fields, at).flat();
}

function readGroups(value: unknown, fields: Filterable, at: Reading): Condition[][] {
  const groups = listOf(value);
  if (!groups || groups.length === 0 || !groups.every(isRecord)) {
    return complain(at, 'takes a list of conditions, such as $or[0][name]=a&$or[1][name]=b');
  }
  if (at.depth >= limits.depth) return complain(at, `is nested more than ${limits.depth} deep`);
  return groups.map((group, index) =>
    readGroup(group, fields, { ...at, path: [...at.path, String(index)], depth: at.depth + 1 }),
  );
}

function readField(
  field: string,
  kind: FieldKind,
  value: unknown,
  choices: readonly string[] | undefined,
  at: Reading,
): Condition[] {
  if (Array.isArray(value)) return [{ field, op: '$in', value: readValues(value, kind, choices, at) }];
  if (!isRecord(value)) {
    return [{ field, op: '$in', value: readValues([value], kind, choices, at) }];
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return complain(at, 'has no value');
  return entries.flatMap(([op, operand]) => readOperator(field, kind, op, operand, choices, at));
}

function readOperator(
  field: string,
  kind: FieldKind,
  op: string,
  operand: unknown,
  choices: readonly string[] | undefined,
  at: Reading,
): Condition[] {
  const here = { ...at, path: [...at.path, op] };
  if (op === '$in' || op === '$nin') {
    const values = listOf(operand) ?? [operand];
    return [{ field, op, value: readValues(values, kind, choices, here) }];
  }
  if (!isComparison(op)) return complain(here, `unknown operator${suggestion(op, operators)}`);
  if (Array.isArray(operand)) return complain(here, 'is given more than once');
  if (op === '$like') return readLike(field, kind, operand, here);
  const exact = op === '$ne';
  const value = readScalar(operand, kind, exact ? choices : undefined);
  if (typeof value === 'object' && value !== null) return complain(here, value.message);
  if (value === null && !exact) return complain(here, 'cannot be compared with null');
  return [{ field, op, value }];
}

function readLike(field: string, kind: FieldKind, operand: unknown, at: Reading): Condition[] {
  if (kind !== 'text') return complain(at, 'compares texts only');
  const value = readScalar(operand, 'text', undefined);
  if (typeof value !== 'string') return complain(at, 'must be a text such as %smith%');
  if ([...value].length > limits.like) return complain(at, `must have at most ${limits.like} characters`);
  return [{ field, op: '$like', value }];
}

function readValues(
  values: readonly unknown[],
  kind: FieldKind,
  choices: readonly string[] | undefined,
  at: Reading,
): Scalar[] {
  if (values.length > limits.values) return complain(at, `takes at most ${limits.values} values`);
  return values.flatMap((raw) => {
    const value = readScalar(raw, kind, choices);
    return typeof value === 'object' && value !== null ? complain(at, value.message) : [value];
  });
}

/** A value of the field's kind; query strings bring everything as text. */
function readScalar(
  raw: unknown,
  kind: FieldKind,
  choices: readonly string[] | undefined,
): Scalar | { message: string } {
  if (raw === null) return null;
  if (kind === 'text') {
    if (typeof raw !== 'string') return { message: 'must be a text' };
    if ([...raw].length > limits.text || !isStorable(raw))
      return { message: 'is too long or not well-formed' };
    if (choices && !choices.includes(raw)) return { message: `must be one of ${choices.join(', ')}` };
    return raw;
  }
  if (raw === 'null') return null;
  if (kind === 'boolean') return readBoolean(raw);
  if (kind === 'instant') return readMoment(raw);
  if (kind === 'localTime') return readLocal(raw);
  return readNumber(raw, kind);
}

function readBoolean(raw: unknown): boolean | { message: string } {
  if (raw === true || raw === 'true' || raw === '1' || raw === 1) return true;
  if (raw === false || raw === 'false' || raw === '0' || raw === 0) return false;
  return { message: 'must be true or false' };
}

function readMoment(raw: unknown): string | { message: string } {
  const text = raw instanceof Date ? raw.toISOString() : raw;
  const moment = typeof text === 'string' ? readInstant(text) : undefined;
  return moment ?? { message: 'must be a date or a date and time such as 2026-03-01T09:00:00Z' };
}

function readLocal(raw: unknown): string | { message: string } {
  const local = typeof raw === 'string' ? readLocalTime(raw) : undefined;
  return local ?? { message: 'must be a date or a date and time such as 2026-03-01T09:00:00' };
}

function readNumber(raw: unknown, kind: 'integer' | 'number'): number | { message: string } {
  const form = kind === 'integer' ? /^-?\d{1,16}$/ : /^-?\d{1,15}(\.\d{1,10})?$/;
  const value = typeof raw === 'string' && form.test(raw) ? Number(raw) : raw;
  const right = kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value === 'number' && right) return value;
  return { message: kind === 'integer' ? 'must be a whole number' : 'must be a number' };
}

/** A list, also in the form that query parsers give to `a[0]=x&a[1]=y`: an object with whole numbers as keys. */
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

/** Notes what is wrong and reads nothing, so that all errors of a request are told at once. */
function complain({ errors, path }: Reading, message: string): [] {
  errors.push({ path, message });
  return [];
}
