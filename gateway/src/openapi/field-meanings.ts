import type { oas31 } from 'openapi3-ts';
import { meaningOfName } from './field-names.ts';

type Schema = oas31.SchemaObject | oas31.ReferenceObject;

/** The schema with a description of each of its fields, at any depth. */
export function withMeanings(schema: Schema): Schema {
  if ('$ref' in schema) return schema;
  const { properties, items, anyOf, oneOf, allOf } = schema;
  const described =
    properties &&
    Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, fieldWithMeaning(name, field)]),
    );
  return {
    ...schema,
    ...(described && { properties: described }),
    ...(items && { items: withMeanings(items) }),
    ...(anyOf && { anyOf: anyOf.map(withMeanings) }),
    ...(oneOf && { oneOf: oneOf.map(withMeanings) }),
    ...(allOf && { allOf: allOf.map(withMeanings) }),
  };
}

function fieldWithMeaning(name: string, field: Schema): Schema {
  if ('$ref' in field) return field;
  const description = field.description ?? meaningOfName(name);
  return { ...withMeanings(field), ...(description !== undefined && { description: sentence(description) }) };
}

/** Contracts describe fields without a full stop. */
export const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
