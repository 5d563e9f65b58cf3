import { type Operation, pathParameters } from '@crm/contract';
import { z } from 'zod';

type Json = z.core.JSONSchema.BaseSchema;

/** The fields of an operation's input, by the part of the request they come from. */
export interface InputFields {
  readonly path: readonly string[];
  /** Query parameters of the URL that belong to the input itself. */
  readonly query: readonly string[];
  /** Whether other query parameters are conditions that the record must meet. */
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
  const outsideBody = new Set([...path, ...query]);
  const body = Object.entries(schemas).filter(([name]) => !name.startsWith('$') && !outsideBody.has(name));
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

/** For a union, the fields of all its members. */
function propertiesOf(json: Json): Record<string, Json> {
  const parts = [...(json.anyOf ?? []), ...(json.oneOf ?? []), ...(json.allOf ?? [])];
  const own = Object.entries(json.properties ?? {}).filter(isSchema);
  return Object.assign({}, ...parts.map(propertiesOf), Object.fromEntries(own));
}

function isSchema(entry: [string, Json | boolean]): entry is [string, Json] {
  return typeof entry[1] === 'object';
}

/** For a union, only the fields that every member requires. */
function requiredIn(json: Json): Set<string> {
  const own = new Set(json.required);
  for (const part of json.allOf ?? []) for (const name of requiredIn(part)) own.add(name);
  const [first, ...others] = [...(json.anyOf ?? []), ...(json.oneOf ?? [])].map(requiredIn);
  const shared = first ? others.reduce((all, one) => all.intersection(one), first) : new Set<string>();
  return own.union(shared);
}
