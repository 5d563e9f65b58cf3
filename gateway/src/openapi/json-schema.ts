import type { oas31 } from 'openapi3-ts';

type Json = Readonly<Record<string, unknown>>;

/** A schema without noise: meta keys, bounds that nobody chose, and the long form of "or null". */
export function tidy(schema: Json): oas31.SchemaObject {
  return simplify(schema) as oas31.SchemaObject;
}

function simplify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simplify);
  if (!isJson(value)) return value;
  const entries = Object.entries(nullable(value)).filter(([key, inner]) => !isNoise(key, inner, value));
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, key === 'properties' ? simplifyEach(inner) : simplify(inner)]),
  );
}

/** The keys of `properties` are names of fields, not keywords. */
function simplifyEach(properties: unknown): unknown {
  if (!isJson(properties)) return properties;
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, simplify(schema)]));
}

function isNoise(key: string, value: unknown, { format, type }: Json): boolean {
  if (key === '$schema' || key === '$id') return true;
  if (key === 'format') return type === 'null';
  // The format already implies it.
  if (key === 'pattern') return format === 'date-time' || format === 'email' || format === 'uuid';
  // Fields may be added to a response, and clients must accept them.
  if (key === 'additionalProperties') return value === false;
  return (key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
}

/** `anyOf: [X, null]` as `type: [x, null]`, which client generators handle best. */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [value, none] = anyOf.filter(isJson);
  if (none?.type !== 'null' || typeof value?.type !== 'string') return schema;
  const choices = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {};
  const { pattern, ...plain } = value;
  const chosen = pattern !== undefined && value.format === undefined ? { pattern } : {};
  return { ...plain, ...chosen, ...choices, ...rest, type: [value.type, 'null'] };
}

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
