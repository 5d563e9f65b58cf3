import { describe, expect, it } from 'vitest';
import type { Json } from './json-schema.ts';
import { compareOpenApi } from './openapi.ts';

const text = { type: 'string' };
const thing = {
  type: 'object',
  properties: { id: { type: 'integer' }, name: text },
  required: ['id', 'name'],
};
const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
const query = (name: string, more: Json = {}) => ({ name, in: 'query', schema: text, ...more });
const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'integer' } });

/** A small API: a list of things, one of them, and a new one. */
const api: Json = {
  security: [{ accessToken: [] }],
  paths: {
    '/things': {
      get: {
        operationId: 'things.find',
        parameters: [query('name'), { $ref: '#/components/parameters/limit' }],
        responses: {
          200: {
            headers: { 'X-Request-Id': { schema: text } },
            ...json({ type: 'array', items: { $ref: '#/components/schemas/Thing' } }),
          },
          404: { $ref: '#/components/responses/NotFound' },
        },
      },
      post: {
        operationId: 'things.create',
        requestBody: { required: true, ...json({ type: 'object', properties: { name: text } }) },
        responses: { 201: json({ $ref: '#/components/schemas/Thing' }) },
      },
    },
    '/things/{id}': {
      parameters: [parameter('id')],
      get: {
        operationId: 'things.get',
        security: [],
        responses: { 200: json({ $ref: '#/components/schemas/Thing' }) },
      },
    },
  },
  components: {
    schemas: { Thing: thing },
    parameters: { limit: query('$limit', { schema: { type: 'integer', default: 10 } }) },
    responses: { NotFound: json({ type: 'object', properties: { message: text } }) },
  },
};

/** The document with the value at a path replaced or removed. */
function changed(document: Json, steps: readonly string[], value: unknown): Json {
  const copy = structuredClone(document);
  let inner = copy as Record<string, unknown>;
  for (const step of steps.slice(0, -1)) inner = inner[step] as Record<string, unknown>;
  const last = steps.at(-1) ?? '';
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return copy;
}

const idsOf = (now: Json) => compareOpenApi(api, now).map(({ id }) => id);

const find = ['paths', '/things', 'get'];
const create = ['paths', '/things', 'post'];
const get = ['paths', '/things/{id}', 'get'];

const changes: readonly [string, readonly string[], unknown, readonly string[]][] = [
  ['an operation is removed', create, undefined, ['openapi POST /things: operation removed']],
  [
    'a path is removed',
    ['paths', '/things/{id}'],
    undefined,
    ['openapi GET /things/{id}: operation removed'],
  ],
  ['an operation is added', ['paths', '/things', 'delete'], { responses: {} }, []],
  [
    'an operation is renamed',
    [...find, 'operationId'],
    'things.list',
    ['openapi GET /things: operationId changed'],
  ],
  [
    'a parameter is removed',
    [...find, 'parameters'],
    [{ $ref: '#/components/parameters/limit' }],
    ['openapi GET /things: query parameter name removed'],
  ],
  [
    'a required parameter is added',
    [...find, 'parameters', '2'],
    query('color', { required: true }),
    ['openapi GET /things: query parameter color added as required'],
  ],
  ['an optional parameter is added', [...find, 'parameters', '2'], query('color'), []],
  [
    'a parameter becomes required',
    [...find, 'parameters', '0'],
    query('name', { required: true }),
    ['openapi GET /things: query parameter name required'],
  ],
  [
    'a parameter is narrowed',
    [...find, 'parameters', '0'],
    query('name', { schema: { type: 'string', maxLength: 9 } }),
    ['openapi GET /things: query parameter name maxLength narrowed'],
  ],
  [
    'a parameter is written in another style',
    [...find, 'parameters', '0'],
    query('name', { style: 'deepObject' }),
    ['openapi GET /things: query parameter name style changed'],
  ],
  [
    'a parameter changes its place',
    [...find, 'parameters', '0'],
    { ...query('name'), in: 'header' },
    ['openapi GET /things: query parameter name removed'],
  ],
  [
    'the default of a shared parameter changes',
    ['components', 'parameters', 'limit', 'schema', 'default'],
    20,
    ['openapi GET /things: query parameter $limit default changed'],
  ],
  [
    'an operation needs a token',
    [...get, 'security'],
    undefined,
    ['openapi GET /things/{id}: security changed'],
  ],
  ['an operation names its scope for the first time', [...find, 'security'], [{ accessToken: ['read'] }], []],
  ['an operation no longer needs a token', [...find, 'security'], [], []],
  [
    'the token is another',
    ['security'],
    [{ other: [] }],
    ['openapi GET /things: security changed', 'openapi POST /things: security changed'],
  ],
  [
    'a body is demanded of an operation that had none',
    [...find, 'requestBody'],
    { required: true, ...json(thing) },
    ['openapi GET /things: request added as required'],
  ],
  ['a body may be sent to an operation that had none', [...find, 'requestBody'], json(thing), []],
  [
    'a body must be of another type',
    [...create, 'requestBody', 'content'],
    { 'text/csv': { schema: text } },
    ['openapi POST /things: request type application/json removed'],
  ],
  [
    'a field of a body is required',
    [...create, 'requestBody', 'content', 'application/json', 'schema', 'required'],
    ['name'],
    ['openapi POST /things: request field name required'],
  ],
  [
    'a status is removed',
    [...find, 'responses', '404'],
    undefined,
    ['openapi GET /things: response 404 removed'],
  ],
  ['a status is added', [...find, 'responses', '409'], json({}), []],
  [
    'a response is of another type',
    [...create, 'responses', '201', 'content'],
    { 'text/csv': { schema: text } },
    ['openapi POST /things: response 201 type application/json removed'],
  ],
  [
    'a header of a response is removed',
    [...find, 'responses', '200', 'headers'],
    {},
    ['openapi GET /things: response 200 header X-Request-Id removed'],
  ],
  [
    'a field of a shared response is removed',
    ['components', 'responses', 'NotFound', 'content', 'application/json', 'schema', 'properties'],
    {},
    ['openapi GET /things: response 404 field message removed'],
  ],
  [
    'a field of a shared schema becomes nullable',
    ['components', 'schemas', 'Thing', 'properties'],
    { id: { type: 'integer' }, name: { type: ['string', 'null'] } },
    ['openapi Thing: response field name nullable'],
  ],
];

describe('a change of the OpenAPI document', () => {
  it.each(changes)('%s', (_name, steps, value, expected) => {
    expect(idsOf(changed(api, steps, value))).toEqual(expected);
  });

  it('is not found without a difference', () => {
    expect(idsOf(api)).toEqual([]);
  });

  it('in a schema that several operations share is reported once, with all of them', () => {
    const less = { ...thing, properties: { id: { type: 'integer' } }, required: ['id'] };
    expect(compareOpenApi(api, changed(api, ['components', 'schemas', 'Thing'], less))).toEqual([
      {
        id: 'openapi Thing: response field name removed',
        sentence: 'The response field name of Thing was removed.',
        reaches: ['GET /things', 'POST /things', 'GET /things/{id}'],
      },
    ]);
  });

  it('is not found when a path parameter is renamed but accepts the same', () => {
    const item = { ...Object(api.paths)['/things/{id}'], parameters: [parameter('thing_id')] };
    const renamed = changed(
      changed(api, ['paths', '/things/{id}'], undefined),
      ['paths', '/things/{thing_id}'],
      item,
    );
    expect(idsOf(renamed)).toEqual([]);
    expect(
      idsOf(changed(renamed, ['paths', '/things/{thing_id}', 'parameters', '0', 'schema'], text)),
    ).toEqual(['openapi GET /things/{id}: path parameter 1 type changed']);
  });
});
