import type { oas31 } from 'openapi3-ts';
import { type Resolve, requestSample, sampleOf } from './samples.ts';

const schemas = '#/components/schemas/';

/** The example of a schema of the document, which all operations share that have it. */
export function exampleFor({ $ref }: oas31.ReferenceObject): oas31.ExamplesObject {
  return { typical: { $ref: $ref.replace(schemas, '#/components/examples/') } };
}

/** An example for each schema. Of those of requests, some are given by the contract. */
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
