import { z } from 'zod';
import { integer } from './fields.ts';
import { suggestion } from './nearest.ts';
import {
  type Condition,
  type Filterable,
  fieldKinds,
  isRecord,
  listOf,
  readWhere,
  type ValidationError,
} from './where.ts';

const page = { usual: 10, most: 1000, skip: 2147483647 };

/** A list request, read: every name in it is a field of the view. */
export interface Find {
  readonly where: readonly Condition[];
  readonly sort: readonly (readonly [field: string, direction: 1 | -1])[];
  readonly limit: number;
  readonly skip: number;
  readonly select: readonly string[] | undefined;
  readonly load: readonly string[];
}

/** What an operation on one record may carry beside the id: conditions it must meet, and the fields wanted. */
export interface RecordQuery {
  readonly $where: readonly Condition[];
  readonly $select: readonly string[] | undefined;
}

type Filter<T> =
  | T
  | readonly T[]
  | {
      readonly $ne?: T;
      readonly $in?: readonly T[];
      readonly $nin?: readonly T[];
      readonly $lt?: T;
      readonly $lte?: T;
      readonly $gt?: T;
      readonly $gte?: T;
      readonly $like?: string;
    };

type Filters<View> = { readonly [Field in keyof View]?: Filter<View[Field]> } & {
  readonly $or?: readonly Filters<View>[];
  readonly $and?: readonly Filters<View>[];
};

/** The query language as a TypeScript caller writes it; as a query string it is `rank[$gt]=2&$sort[rank]=-1`. */
export type FindInput<View> = Filters<View> & {
  readonly $limit?: number;
  readonly $skip?: number;
  readonly $sort?: { readonly [Field in keyof View]?: 1 | -1 };
  readonly $select?: readonly (keyof View)[];
  readonly $load?: string | readonly string[];
};

/** Without parameters of its own zod would say that no further key may be there at all. */
type OwnInput<Own extends z.ZodRawShape> = keyof Own extends never ? unknown : z.input<z.ZodObject<Own>>;

interface ListOptions<Own extends z.ZodRawShape> {
  /** Parameters of the operation itself, such as the parent's id in the path. */
  readonly own?: Own;
  /** Relations that `$load` may name. */
  readonly load?: readonly string[];
  /** Whether fields of nested objects can be asked for too, as `team.id`. */
  readonly dotted?: boolean;
}

/** The query language of every list, derived from what the list shows. */
export function find<View extends z.ZodObject, Own extends z.ZodRawShape = Record<never, never>>(
  view: View,
  { own, load = [], dotted = false }: ListOptions<Own> = {},
) {
  const fields = fieldKinds(view, { dotted });
  const ownShape = z.object(own ?? ({} as Own));
  const ownNames = Object.keys(ownShape.shape);
  const schema = reader<Find & z.output<z.ZodObject<Own>>, FindInput<z.output<View>> & OwnInput<Own>>(
    (raw, ctx) => {
      if (!isRecord(raw)) return fail(ctx, raw, [{ path: [], message: 'must be an object' }]);
      const { own: ownRaw, rest } = split(raw, ownNames);
      const parsed = ownShape.safeParse(ownRaw);
      const { find: query, errors } = readFind(rest, fields, load);
      const all = [...validationErrorsOf(parsed), ...errors];
      if (!parsed.success || all.length > 0) return fail(ctx, raw, all);
      return { ...query, ...parsed.data };
    },
  );
  listings.set(schema, { view, own: ownShape, load, fields });
  return schema;
}

/** What a list request is made of, for the document and for generic tests. */
export interface Listing {
  readonly view: z.ZodObject;
  readonly own: z.ZodObject;
  readonly load: readonly string[];
  readonly fields: Filterable;
}
const listings = new WeakMap<z.ZodType, Listing>();

/** The listing behind an input schema made by `find`, if it is one. */
export const listingOf = (schema: z.ZodType): Listing | undefined => listings.get(schema);

/** The input of an operation on one record: its own parameters, and conditions as in a list. */
export function record<View extends z.ZodObject, Own extends z.ZodRawShape>(view: View, own: Own) {
  const fields = fieldKinds(view);
  const names = Object.keys(view.shape);
  const where = reader<readonly Condition[], Filters<z.output<View>>>((raw, ctx) => {
    if (!isRecord(raw)) return fail(ctx, raw, [{ path: [], message: 'must be an object' }]);
    const { conditions, errors } = readWhere(raw, fields);
    return errors.length > 0 ? fail(ctx, raw, errors) : conditions;
  });
  const select = reader<readonly string[], string | readonly (keyof z.output<View>)[]>((raw, ctx) => {
    const errors: ValidationError[] = [];
    const selected = readNames('$select', raw, names, errors);
    return errors.length > 0
      ? fail(
          ctx,
          raw,
          errors.map((one) => ({ ...one, path: [] })),
        )
      : selected;
  });
  return z.object({ ...own, $where: where.optional(), $select: select.optional() });
}

/** The envelope of every list. */
export function pageOf<View extends z.ZodType>(view: View) {
  return z.object({
    total: z.int().describe('Number of matching records'),
    limit: z.int().describe('Page size used'),
    skip: z.int().describe('Number of records skipped'),
    data: z.array(view),
  });
}

/** A schema that reads anything by hand; `Input` only tells TypeScript callers what to write. */
function reader<Output, Input>(read: (raw: unknown, ctx: z.core.$RefinementCtx) => Output) {
  return z.unknown().transform(read) as unknown as z.ZodType<Output, Input>;
}

function readFind(raw: Readonly<Record<string, unknown>>, fields: Filterable, relations: readonly string[]) {
  const { $limit, $skip, $sort, $select, $load, ...filters } = raw;
  const { conditions, errors } = readWhere(filters, fields);
  const names = [...fields.kinds.keys(), ...fields.nested];
  const find: Find = {
    where: conditions,
    sort: readSort($sort, fields, errors),
    limit: Math.min(readCount('$limit', $limit, page.usual, errors), page.most),
    skip: readCount('$skip', $skip, 0, errors),
    select: $select === undefined ? undefined : readNames('$select', $select, names, errors),
    load: relations.length === 0 || $load === undefined ? [] : readNames('$load', $load, relations, errors),
  };
  return { find, errors };
}

function readCount(name: string, raw: unknown, usual: number, errors: ValidationError[]): number {
  if (raw === undefined) return usual;
  const value = integer.safeParse(raw);
  if (value.success && value.data >= 0) return value.data;
  errors.push({ path: [name], message: `must be a whole number from 0 to ${page.skip}` });
  return usual;
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
    errors.push({ path: ['$sort'], message: 'names its field in brackets, such as $sort[id]=-1' });
    return [];
  }
  return Object.entries(raw).flatMap(([name, value]): [string, 1 | -1][] => {
    const direction = directions.get(value);
    const known = fields.kinds.has(name);
    if (known && direction) return [[name, direction]];
    const message = known ? 'must be 1 or -1' : `unknown field${suggestion(name, [...fields.kinds.keys()])}`;
    errors.push({ path: ['$sort', name], message });
    return [];
  });
}

/** Names given as a list, repeated, or joined by commas. */
function readNames(
  parameter: string,
  raw: unknown,
  known: readonly string[],
  errors: ValidationError[],
): string[] {
  const parts = typeof raw === 'string' ? raw.split(',') : listOf(raw);
  if (!parts || parts.length > 100 || !parts.every((part) => typeof part === 'string')) {
    errors.push({ path: [parameter], message: 'must be a list of names' });
    return [];
  }
  const names = [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
  for (const name of names.filter((name) => !known.includes(name))) {
    errors.push({
      path: [parameter],
      message: `unknown name ${name.slice(0, 64)}${suggestion(name, known)}`,
    });
  }
  return names;
}

function split(raw: Readonly<Record<string, unknown>>, names: readonly string[]) {
  // From entries, so that a key such as `__proto__` stays a key and is refused like any other unknown one.
  const entries = Object.entries(raw);
  const own = Object.fromEntries(entries.filter(([key]) => names.includes(key)));
  const rest = Object.fromEntries(entries.filter(([key]) => !names.includes(key)));
  return { own, rest };
}

function validationErrorsOf(result: z.ZodSafeParseResult<unknown>): ValidationError[] {
  const issues = result.error?.issues ?? [];
  return issues.map(({ path, message }) => ({ path: path.map(String), message }));
}

/** The value is never seen: an issue makes the whole parse fail. */
function fail(ctx: z.core.$RefinementCtx, input: unknown, errors: readonly ValidationError[]): never {
  for (const { path, message } of errors)
    ctx.issues.push({ code: 'custom', path: [...path], message, input });
  return z.NEVER;
}
