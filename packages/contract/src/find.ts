import { z } from 'zod';
import { fieldErrorOf, inWords } from './field-error.ts';
import { type Filterable, fieldKinds } from './filterable.ts';
import type { Filters, FindInput, PartFilters } from './find-input.ts';
import { isRecord } from './list-of.ts';
import type { Condition, ValidationError } from './read-field.ts';
import { type Find, readFind, readLoad, readNames } from './read-find.ts';
import type { Relation } from './relations.ts';
import { readWhere } from './where.ts';

/** The input of an operation on one record besides the id: conditions that the record must meet, and the fields to return. */
export interface RecordQuery {
  readonly $where: readonly Condition[];
  readonly $select: readonly string[] | undefined;
}

/** For an operation without its own parameters, zod would infer that no other key is allowed. */
type OwnInput<Own extends z.ZodRawShape> = keyof Own extends never ? unknown : z.input<z.ZodObject<Own>>;

/** Fields that conditions may name in addition to those with a single value. */
interface ConditionOptions<Part extends string> {
  /** Whether fields of nested objects are filterable too, as `team.id`. */
  readonly dotted?: boolean;
  /** Fields with parts, such as `custom_fields.12`. The service interprets their conditions, whose values are texts here. */
  readonly parts?: readonly Part[];
}

interface ListOptions<Own extends z.ZodRawShape, Part extends string> extends ConditionOptions<Part> {
  /** Parameters of the operation itself, such as the parent's id in the path. */
  readonly own?: Own;
  /** Relations that `$load` may name. */
  readonly load?: readonly Relation[];
}

/** The query language of every list, derived from the list's view. */
export function find<
  View extends z.ZodObject,
  Own extends z.ZodRawShape = Record<never, never>,
  const Part extends string = never,
>(view: View, { own, load = [], dotted = false, parts = [] }: ListOptions<Own, Part> = {}) {
  const fields = fieldKinds(view, { dotted, parts });
  const ownShape = z.object(own ?? ({} as Own));
  const ownNames = Object.keys(ownShape.shape);
  const parameters = optionalIn(ownShape);
  const schema = reader<Find & z.output<z.ZodObject<Own>>, FindInput<z.output<View>, Part> & OwnInput<Own>>(
    (raw, ctx) => {
      if (!isRecord(raw)) return fail(ctx, raw, [{ path: [], message: 'must be an object' }]);
      const { own: ownRaw, rest } = split(raw, ownNames);
      const parsed = ownShape.safeParse(ownRaw, { error: inWords });
      const { find: query, errors } = readFind(rest, fields, { load, parameters });
      const all = [...validationErrorsOf(parsed, ownRaw), ...errors];
      if (!parsed.success || all.length > 0) return fail(ctx, raw, all);
      return { ...query, ...parsed.data };
    },
  );
  listings.set(schema, { view, own: ownShape, load, fields });
  return schema;
}

/** The parts of a list's input schema, for the OpenAPI document and for generated tests. */
export interface Listing {
  readonly view: z.ZodObject;
  readonly own: z.ZodObject;
  readonly load: readonly Relation[];
  readonly fields: Filterable;
}
const listings = new WeakMap<z.ZodType, Listing>();

/** The parts of an input schema made by `find`, or undefined for any other schema. */
export const listingOf = (schema: z.ZodType): Listing | undefined => listings.get(schema);

/** The input of an operation on one record: its own parameters, and conditions as in a list. */
export function record<
  View extends z.ZodObject,
  Own extends z.ZodRawShape,
  const Part extends string = never,
>(view: View, own: Own, options: ConditionOptions<Part> = {}) {
  const fields = fieldKinds(view, options);
  const names = Object.keys(view.shape);
  const where = reader<readonly Condition[], Filters<z.output<View>> & PartFilters<Part>>((raw, ctx) => {
    if (!isRecord(raw)) return fail(ctx, raw, [{ path: [], message: 'must be an object' }]);
    const { $load, ...filters } = raw;
    const { conditions, errors } = readWhere(filters, fields, ['$select', '$load']);
    readLoad($load, [], errors);
    return errors.length > 0 ? fail(ctx, raw, errors) : conditions;
  });
  const select = reader<readonly string[], string | readonly (keyof z.output<View>)[]>((raw, ctx) => {
    const errors: ValidationError[] = [];
    const selected = readNames('$select', raw, names, errors);
    if (errors.length === 0) return selected;
    const withoutPath = errors.map((error) => ({ ...error, path: [] }));
    return fail(ctx, raw, withoutPath);
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
    next: z
      .string()
      .nullable()
      .optional()
      .describe(
        'The value of `$after` for the next page, or null at the end of the list. Only in responses to requests with `$after`',
      )
      .meta({ examples: ['WyJjb250YWN0cyIsImlkIiwxNSwiNDIiXQ'] }),
  });
}

/** A schema with a handwritten parser; `Input` only tells TypeScript callers what they may send. */
function reader<Output, Input>(read: (raw: unknown, ctx: z.core.$RefinementCtx) => Output) {
  return z.unknown().transform(read) as unknown as z.ZodType<Output, Input>;
}

/** Required parameters are in the path. */
const optionalIn = ({ shape }: z.ZodObject): string[] =>
  Object.keys(shape).filter((name) => z.safeParse(shape[name] ?? z.never(), undefined).success);

function split(raw: Readonly<Record<string, unknown>>, names: readonly string[]) {
  // From entries, so that a key such as `__proto__` remains a key and is rejected like any other unknown one.
  const entries = Object.entries(raw);
  const own = Object.fromEntries(entries.filter(([key]) => names.includes(key)));
  const rest = Object.fromEntries(entries.filter(([key]) => !names.includes(key)));
  return { own, rest };
}

function validationErrorsOf(result: z.ZodSafeParseResult<unknown>, input: unknown): ValidationError[] {
  const issues = result.error?.issues ?? [];
  return issues.map((issue) => ({ path: issue.path.map(String), ...fieldErrorOf(issue, input) }));
}

/** Makes the whole parse fail. The returned value is never seen. */
function fail(ctx: z.core.$RefinementCtx, input: unknown, errors: readonly ValidationError[]): never {
  for (const { path, message, reason = 'invalid_value', ...options } of errors)
    ctx.issues.push({ code: 'custom', path: [...path], message, params: { reason, ...options }, input });
  return z.NEVER;
}
