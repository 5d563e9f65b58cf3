import { z } from 'zod';

/**
 * A `localTime` is also an instant; the service interprets a filter value without a zone in the caller's zone. A `duration` is
 * shown as hours, minutes and seconds, and compared by seconds.
 */
export type FieldKind = 'integer' | 'number' | 'boolean' | 'instant' | 'localTime' | 'duration' | 'text';

/** The fields of a view that lists can be filtered and sorted by: those with a single value. */
export interface Filterable {
  readonly kinds: ReadonlyMap<string, FieldKind>;
  readonly choices: ReadonlyMap<string, readonly string[]>;
  /** Checks a value of a text with a fixed form, such as a color, and returns what is wrong. */
  readonly forms: ReadonlyMap<string, (value: string) => string | undefined>;
  /** Enumerations for which clients also send `None` instead of null. */
  readonly withNone: ReadonlySet<string>;
  /** Fields that can be read but not filtered or sorted by, such as objects and arrays. */
  readonly nested: ReadonlySet<string>;
  /** Nested fields whose parts can be used in filters, as `custom_fields.12`. Only the service knows the kinds of the parts. */
  readonly parts: ReadonlySet<string>;
}

/** Whether a name is that of a part of a field, such as `custom_fields.12`. */
export function isPart(name: string, parts: ReadonlySet<string>): boolean {
  const [, field] = /^(\w+)\.\d+$/.exec(name) ?? [];
  return field !== undefined && parts.has(field);
}

/** A key in the metadata of a field that is shown but must not be filtered by, such as a credential. */
export const notFilterable = 'x-not-filterable';

/** The kinds of fields by JSON Schema format. */
const kindsOfFormats: Readonly<Partial<Record<string, FieldKind>>> = {
  'date-time': 'instant',
  'date-time-local': 'localTime',
  'local-date-time': 'localTime',
  'hours-minutes-seconds': 'duration',
};

type Json = z.core.JSONSchema.BaseSchema;

/** Views share schemas of fields, and each view is read twice: for its operations and for its tables. */
const described = new WeakMap<z.core.$ZodType, Json>();

function jsonOf(schema: z.core.$ZodType): Json {
  const known = described.get(schema) ?? z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' });
  described.set(schema, known);
  return known;
}

/**
 * Derives the kinds of fields from a view, so that one schema determines what is returned, documented and filterable. With
 * `dotted`, the fields of nested objects are included, as `team.id`.
 */
export function fieldKinds(
  view: z.ZodObject,
  { dotted = false, parts = [] }: { dotted?: boolean; parts?: readonly string[] } = {},
): Filterable {
  const kinds = new Map<string, FieldKind>();
  const choices = new Map<string, readonly string[]>();
  const forms = new Map<string, (value: string) => string | undefined>();
  const withNone = new Set<string>();
  const nested = new Set<string>();
  const add = (name: string, schema: Json) => {
    const json = withoutNull(schema);
    const kind = kindOf(json);
    if (kind) kinds.set(name, kind);
    if (json.enum) choices.set(name, json.enum.map(String));
    return { kind, json };
  };
  for (const [name, schema] of Object.entries(view.shape)) {
    const { kind, json } = add(name, jsonOf(schema));
    if (kind === 'text' && json.pattern !== undefined)
      forms.set(name, (value) => z.safeParse(schema, value).error?.issues[0]?.message);
    if (json.enum && z.safeParse(schema, 'None').data === null) withNone.add(name);
    if (kind) continue;
    nested.add(name);
    if (!dotted) continue;
    for (const [part, inner] of Object.entries(json.properties ?? {})) {
      if (typeof inner === 'object') add(`${name}.${part}`, inner);
    }
  }
  return { kinds, choices, forms, withNone, nested, parts: new Set(parts) };
}

/** The schema of the value itself, without "or null". */
function withoutNull(json: Json): Json {
  const value = json.anyOf?.find((option) => option.type !== 'null') ?? json;
  const [type] = [value.type].flat().filter((name) => name !== 'null');
  return { ...value, ...(type !== undefined && { type }) };
}

function kindOf({ type, format, [notFilterable]: excluded }: Json): FieldKind | undefined {
  if (excluded) return undefined;
  if (type === 'integer' || type === 'number' || type === 'boolean') return type;
  // A field that is always null has the kind of the values that it could have.
  if (type !== 'string' && type !== 'null') return undefined;
  return kindsOfFormats[format ?? ''] ?? 'text';
}
