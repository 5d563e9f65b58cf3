import { type Operation, pathParameters } from '@crm/contract';
import { z } from 'zod';

type Json = z.core.JSONSchema.BaseSchema;

/** What the input of an operation is made of, by the part of the request that brings it. */
export interface InputFields {
  readonly path: readonly string[];
  /** Names of the URL's query that belong to the input itself. */
  readonly query: readonly string[];
  /** Whether the rest of the query says what the record must be like. */
  readonly conditions: boolean;
  readonly select: boolean;
  readonly body: Readonly<Record<string, Json>>;
  readonly required: ReadonlySet<string>;
  /** The schema of each field, wherever it comes from. */
  readonly schemas: Readonly<Record<string, Json>>;
}

export function inputFieldsOf({ input, query = [], rest = 'GET /' }: Operation): InputFields {
  const json = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const schemas = propertiesOf(json);
  const path = pathParameters(rest);
  const elsewhere = new Set([...path, ...query]);
  const body = Object.entries(schemas).filter(([name]) => !name.startsWith('$') && !elsewhere.has(name));
  return {
    path,
    query,
    conditions: '$where' in schemas,
    select: '$select' in schemas,
    body: Object.fromEntries(body),
    required: requiredIn(json),
    schemas,
  };
}

/** Of a choice between several forms, the fields of all of them. */
function propertiesOf(json: Json): Record<string, Json> {
  const parts = [...(json.anyOf ?? []), ...(json.oneOf ?? []), ...(json.allOf ?? [])];
  const own = Object.entries(json.properties ?? {}).filter(isSchema);
  return Object.assign({}, ...parts.map(propertiesOf), Object.fromEntries(own));
}

function isSchema(entry: [string, Json | boolean]): entry is [string, Json] {
  return typeof entry[1] === 'object';
}

/** Of a choice between several forms, only what each of them demands. */
function requiredIn(json: Json): Set<string> {
  const own = new Set(json.required);
  for (const part of json.allOf ?? []) for (const name of requiredIn(part)) own.add(name);
  const [first, ...others] = [...(json.anyOf ?? []), ...(json.oneOf ?? [])].map(requiredIn);
  const shared = first ? others.reduce((all, one) => all.intersection(one), first) : new Set<string>();
  return own.union(shared);
}
