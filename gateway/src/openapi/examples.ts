import type { oas31 } from 'openapi3-ts';
import { type Resolve, requestSample, sampleOf } from './samples.ts';

const schemas = '#/components/schemas/';

/** The example of a schema in the document, shared by all operations that use the schema. */
export function exampleFor({ $ref }: oas31.ReferenceObject): oas31.ExamplesObject {
  return { typical: { $ref: $ref.replace(schemas, '#/components/examples/') } };
}

/** An example for each schema. Contracts provide some of the examples of requests. */
export function examplesOf(
  all: Readonly<Record<string, oas31.SchemaObject | oas31.ReferenceObject>>,
  requests: ReadonlyMap<string, unknown>,
): Record<string, oas31.ExampleObject> {
  const resolve: Resolve = (ref) => all[ref.replace(schemas, '')];
  return Object.fromEntries(
    Object.entries(all).map(([name, schema]) => [
      name,
      {
        value: requests.has(name)
          ? (requests.get(name) ?? requestSample(schema, resolve))
          : sampleOf(schema, resolve),
      },
    ]),
  );
}
