import { type Contract, listingOf, type Operation } from '@crm/contract';
import { z } from 'zod';

/**
 * The operations of a service for other services and the operator. Public operations are only listed, because the public document
 * describes them; web pages are for people.
 */
export function contractDocument(service: string, contract: Contract) {
  const operations = Object.entries(contract).flatMap(([resource, group]) =>
    Object.entries(group).map(([verb, operation]) => [`${resource}.${verb}`, operationDocument(operation)]),
  );
  return { service, operations: Object.fromEntries(operations) };
}

function operationDocument({ rest, kind, for: caller, callers, summary, refuses, ...operation }: Operation) {
  if (rest !== undefined) return { rest };
  return {
    summary,
    kind,
    for: caller,
    ...(callers && { callers: [...callers].sort() }),
    input: inputSchemaOf(operation.input),
    output: schemaOf(operation.output, 'output'),
    refuses: [...new Set(refuses.map(({ refusal }) => refusal))].sort(),
  };
}

function inputSchemaOf(input: z.ZodType) {
  const listing = listingOf(input);
  if (!listing) return schemaOf(input, 'input');
  // The schema of a list is code, so its parts are listed: its own parameters, a filter per field, and relations.
  const own = schemaOf(listing.own, 'input');
  const filters = [...listing.fields.kinds.keys()].map((name) => [name, {}]);
  const load = listing.load.length > 0 && { $load: { type: 'array', items: { enum: listing.load } } };
  return { ...own, properties: { ...Object.fromEntries(filters), ...load, ...own.properties } };
}

/** With open objects, because fields may be added, and without limits that only zod adds. */
function schemaOf(type: z.ZodType, io: 'input' | 'output') {
  const { $schema, ...schema } = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.format) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return schema;
}
