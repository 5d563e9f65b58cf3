import { notAnOption, unknown } from './field-error.ts';
import { integer } from './fields.ts';
import type { Filterable } from './filterable.ts';
import { pageLimits } from './limits.ts';
import { isRecord, listOf } from './list-of.ts';
import type { Condition, ValidationError } from './read-field.ts';
import { type Relation, relations } from './relations.ts';
import { readWhere } from './where.ts';

/** A parsed list request: every name in it is a field of the view. */
export interface Find {
  readonly where: readonly Condition[];
  readonly sort: readonly (readonly [field: string, direction: 1 | -1])[];
  readonly limit: number;
  readonly skip: number;
  /** For paging by cursor: the cursor of the previous page, empty for the first page. */
  readonly after: string | undefined;
  readonly select: readonly string[] | undefined;
  readonly load: readonly Relation[];
}

const maxCount = 2147483647;
const ofAllLists = ['$limit', '$skip', '$after', '$sort', '$select', '$load'];

export function readFind(
  raw: Readonly<Record<string, unknown>>,
  fields: Filterable,
  own: { readonly load: readonly Relation[]; readonly parameters: readonly string[] },
) {
  const { $limit, $skip, $after, $sort, $select, $load, ...filters } = raw;
  const { conditions, errors } = readWhere(filters, fields, [...ofAllLists, ...own.parameters]);
  // A response contains a nested record completely or not at all.
  const names = [...fields.kinds.keys(), ...fields.nested].filter((name) => !name.includes('.'));
  const skip = readCount('$skip', $skip, 0, errors);
  const find: Find = {
    where: conditions,
    sort: readSort($sort, fields, errors),
    limit: readLimit($limit, errors),
    skip,
    after: readAfter($after, skip, errors),
    select: $select === undefined ? undefined : readNames('$select', $select, names, errors),
    load: readLoad($load, own.load, errors),
  };
  return { find, errors };
}

/** Any larger number means the maximum, however many digits it has. */
function readLimit(raw: unknown, errors: ValidationError[]): number {
  if (typeof raw === 'string' && /^\d+$/.test(raw)) return Math.min(Number(raw), pageLimits.max);
  return Math.min(readCount('$limit', raw, pageLimits.default, errors), pageLimits.max);
}

function readCount(name: string, raw: unknown, defaultCount: number, errors: ValidationError[]): number {
  if (raw === undefined) return defaultCount;
  const value = integer.safeParse(raw);
  if (value.success && value.data >= 0) return value.data;
  errors.push({ path: [name], message: `must be a whole number from 0 to ${maxCount}` });
  return defaultCount;
}

function readAfter(raw: unknown, skip: number, errors: ValidationError[]): string | undefined {
  const isText = raw === undefined || typeof raw === 'string';
  if (!isText) errors.push({ path: ['$after'], message: 'must be "next" of the previous page, sent once' });
  else if (raw && skip > 0)
    errors.push({
      path: ['$skip'],
      message: 'cannot be combined with $after, which says where the page begins',
    });
  return isText ? raw : undefined;
}

const directions = new Map<unknown, 1 | -1>([
  [1, 1],
  [-1, -1],
  ['1', 1],
  ['-1', -1],
  ['asc', 1],
  ['desc', -1],
]);

function readSort(raw: unknown, fields: Filterable, errors: ValidationError[]): Find['sort'] {
  if (raw === undefined) return [];
  if (!isRecord(raw)) {
    errors.push({ path: ['$sort'], message: 'must name a field in brackets, such as $sort[id]=-1' });
    return [];
  }
  return Object.entries(raw).flatMap(([name, value]): [string, 1 | -1][] => {
    const direction = directions.get(value);
    if (fields.kinds.has(name) && direction) return [[name, direction]];
    errors.push({ path: ['$sort', name], ...sortError(name, fields) });
    return [];
  });
}

function sortError(name: string, { kinds, nested }: Filterable): Omit<ValidationError, 'path'> {
  if (kinds.has(name))
    return { message: 'must be 1 or -1', reason: 'not_an_option', valid_options: ['1', '-1'] };
  const sortable = [...kinds.keys()];
  if (!nested.has(name)) return unknown('field', name, sortable);
  const own = sortable.filter((field) => field.startsWith(`${name}.`));
  const message = 'is not a single value, so the list cannot be sorted by it';
  return { ...notAnOption(name, own.length > 0 ? own : sortable), message };
}

/** The relations of a resource that a request names. Those that only other resources have are ignored. */
export function readLoad(raw: unknown, own: readonly Relation[], errors: ValidationError[]): Relation[] {
  if (raw === undefined) return [];
  const names = readNames('$load', raw, relations, errors, own);
  return own.filter((relation) => names.includes(relation));
}

/** Reads names given as a list, repeated, or joined by commas. For another name, the error lists those that are `offered`. */
export function readNames(
  parameter: string,
  raw: unknown,
  known: readonly string[],
  errors: ValidationError[],
  offered = known,
): string[] {
  const parts = typeof raw === 'string' ? raw.split(',') : listOf(raw);
  if (!parts || parts.length > 100 || !parts.every((part) => typeof part === 'string')) {
    errors.push({ path: [parameter], message: 'must be a list of names' });
    return [];
  }
  const names = [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
  for (const name of names.filter((name) => !known.includes(name))) {
    errors.push({ path: [parameter], ...unknown('name', name, offered) });
  }
  return names;
}
