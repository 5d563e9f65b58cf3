import { pathParameters, statuses, type WebDocument } from '@crm/contract';
import type { oas31 } from 'openapi3-ts';
import { z } from 'zod';
import type { Route } from '../routes.ts';
import { generalHeaders } from './errors.ts';
import { sentence, withMeanings } from './field-meanings.ts';
import { tidy } from './json-schema.ts';
import { sampleOf } from './samples.ts';

/** The documentation of an operation whose input and output are not JSON. */
export function webOperation(
  { procedure, path, operation }: Route,
  { query, body, answers }: WebDocument,
  tag: string,
): oas31.OperationObject {
  const responses = Object.entries(answers).map(([status, content]): [string, oas31.ResponseObject] => [
    status,
    {
      description: descriptionOf(status, operation.summary),
      headers: generalHeaders,
      content: contentOf(content),
    },
  ]);
  return {
    operationId: procedure,
    tags: [tag],
    summary: operation.summary,
    description: [
      `${operation.summary}.`,
      ...(operation.details ? [operation.details] : []),
      'No access token is needed.',
    ].join(' '),
    security: [],
    parameters: [...pathParameters(path).map(pathParameter), ...queryParameters(query)],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: { ...byTheGateway, ...Object.fromEntries(responses) },
  };
}

/** Responses of the gateway itself, whatever the protocol of the operation. */
const byTheGateway: oas31.ResponsesObject = Object.fromEntries(
  (['UriTooLong', 'TooManyRequests', 'GeneralError', 'Unavailable'] as const).map((name) => [
    statuses[name],
    { $ref: `#/components/responses/${name}` },
  ]),
);

const descriptionOf = (status: string, summary: string) =>
  Number(status) < 400 ? sentence(summary) : 'The request was refused.';

const pathParameter = (name: string): oas31.ParameterObject => ({
  name,
  in: 'path',
  required: true,
  description: `The ${name} in the link.`,
  schema: { type: 'string' },
});

function queryParameters(query: z.ZodObject | undefined): oas31.ParameterObject[] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(query);
  return Object.entries(properties as Readonly<Record<string, oas31.SchemaObject>>).map(([name, schema]) => ({
    name,
    in: 'query',
    ...(schema.description !== undefined && { description: sentence(schema.description) }),
    ...(required.includes(name) && { required: true }),
    schema,
  }));
}

function contentOf(content: Readonly<Record<string, z.ZodType | null>>): oas31.ContentObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      schema ? describedContent(jsonSchemaOf(schema)) : { schema: { type: 'string' } },
    ]),
  );
}

function describedContent(plain: oas31.SchemaObject): oas31.MediaTypeObject {
  const schema = withMeanings(plain);
  return { schema, examples: { typical: { value: sampleOf(schema, () => undefined) } } };
}

const jsonSchemaOf = (schema: z.ZodType): oas31.SchemaObject =>
  tidy(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
