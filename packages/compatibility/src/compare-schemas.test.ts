import { describe, expect, it } from 'vitest';
import type { Direction } from './breaking-change.ts';
import { compareSchemas } from './compare-schemas.ts';
import type { Json } from './json-schema.ts';

/** The changes found, without the description of the place, which is always the same. */
function breaks(
  direction: Direction,
  old: unknown,
  now: unknown,
  documents: readonly [Json, Json] = [{}, {}],
) {
  const place = { document: 'openapi', operation: 'GET /things', part: direction, field: '', direction };
  const [before, after] = documents;
  return compareSchemas({ schema: old, document: before }, { schema: now, document: after }, place).map(
    ({ id }) => id.replace(`openapi GET /things: ${direction}`, '').trim(),
  );
}

const object = (properties: Json, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const number = { type: 'integer' };
const words = (...values: unknown[]) => ({ type: 'string', enum: values });

const [red, blue] = [
  object({ kind: { const: 'red' }, a: text }),
  object({ kind: { const: 'blue' }, b: text }),
];

/** A change, and what it breaks in a request and in a response. Reversed, each is another change. */
const changes: readonly [string, unknown, unknown, { request?: string[]; response?: string[] }][] = [
  [
    'a field is removed',
    object({ a: text, b: text }),
    object({ a: text }),
    { request: ['field b removed'], response: ['field b removed'] },
  ],
  ['an optional field is added', object({ a: text }), object({ a: text, b: text }), {}],
  [
    'a field is renamed',
    object({ a: text }, ['a']),
    object({ b: text }, ['b']),
    { request: ['field a removed', 'field b added as required'], response: ['field a removed'] },
  ],
  [
    'a required field is added',
    object({}),
    object({ b: text }, ['b']),
    { request: ['field b added as required'] },
  ],
  [
    'a field becomes required',
    object({ a: text }),
    object({ a: text }, ['a']),
    { request: ['field a required'] },
  ],
  [
    'a field becomes optional',
    object({ a: text }, ['a']),
    object({ a: text }),
    { response: ['field a no longer required'] },
  ],
  [
    'a field becomes nullable',
    object({ a: text }),
    object({ a: { type: ['string', 'null'] } }),
    { response: ['field a nullable'] },
  ],
  [
    'a field is no longer nullable, written in the two ways',
    object({ a: { anyOf: [text, { type: 'null' }] } }),
    object({ a: text }),
    { request: ['field a no longer nullable'] },
  ],
  [
    'nullable is written in another way',
    { type: ['string', 'null'] },
    { anyOf: [text, { type: 'null' }] },
    {},
  ],
  ['the type changes', text, number, { request: ['type changed'], response: ['type changed'] }],
  ['a whole number becomes any number', number, { type: 'number' }, { response: ['type changed'] }],
  ['anything becomes a text', {}, text, { request: ['no longer nullable', 'type changed'] }],
  ['a value is added', words('a'), words('a', 'b'), { response: ['value "b" added'] }],
  ['a value is removed', words('a', 'b'), words('a'), { request: ['value "b" removed'] }],
  [
    'a constant changes',
    { const: 'a' },
    { const: 'b' },
    { request: ['value "a" removed'], response: ['value "b" added'] },
  ],
  [
    'null is added to the values',
    words('a'),
    { type: ['string', 'null'], enum: ['a', null] },
    { response: ['nullable'] },
  ],
  ['values are named', text, words('a'), { request: ['limited to values'] }],
  ['values are named no longer', words('a'), text, { response: ['no longer limited to values'] }],
  [
    'values take the place of a limit that they keep',
    { type: 'string', maxLength: 3 },
    words('abc'),
    { request: ['limited to values'] },
  ],
  [
    'values take the place of a limit that they do not keep',
    { type: 'string', maxLength: 2 },
    words('abc'),
    { request: ['limited to values'], response: ['maxLength widened'] },
  ],
  [
    'an upper limit falls',
    { type: 'string', maxLength: 45 },
    { type: 'string', maxLength: 10 },
    { request: ['maxLength narrowed'] },
  ],
  ['an upper limit is lifted', { type: 'integer', maximum: 9 }, number, { response: ['maximum widened'] }],
  [
    'a lower limit rises',
    { type: 'integer', minimum: 0 },
    { type: 'integer', minimum: 1 },
    { request: ['minimum narrowed'] },
  ],
  ['a lower limit of nothing is named', text, { type: 'string', minLength: 0 }, {}],
  [
    'a list may hold less',
    { type: 'array', items: text },
    { type: 'array', items: text, maxItems: 5 },
    { request: ['maxItems narrowed'] },
  ],
  [
    'a pattern changes',
    { type: 'string', pattern: 'a' },
    { type: 'string', pattern: 'b' },
    { request: ['pattern changed'], response: ['pattern changed'] },
  ],
  ['a format is named', text, { type: 'string', format: 'date-time' }, { request: ['format changed'] }],
  [
    'a default changes',
    { type: 'integer', default: 1 },
    { type: 'integer', default: 2 },
    { request: ['default changed'] },
  ],
  ['a default is named', number, { type: 'integer', default: 2 }, {}],
  [
    'a keyword changes that no rule knows',
    { type: 'array', prefixItems: [text] },
    { type: 'array', prefixItems: [number] },
    { request: ['prefixItems changed'], response: ['prefixItems changed'] },
  ],
  [
    'words for people change',
    { ...text, description: 'a', 'x-a': 1 },
    { ...text, title: 'b', examples: ['c'] },
    {},
  ],
  [
    'what a list holds changes',
    object({ tags: { type: 'array', items: object({ a: text, b: text }) } }),
    object({ tags: { type: 'array', items: object({ a: number }) } }),
    {
      request: ['field tags[].b removed', 'field tags[].a type changed'],
      response: ['field tags[].b removed', 'field tags[].a type changed'],
    },
  ],
  [
    'what a list holds is said',
    { type: 'array' },
    { type: 'array', items: text },
    { request: ['[] no longer nullable', '[] type changed'] },
  ],
  [
    'what a dictionary holds changes',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    { response: ['field * nullable'] },
  ],
  [
    'a dictionary loses a name',
    { type: 'object', propertyNames: words('a', 'b'), additionalProperties: text },
    { type: 'object', propertyNames: words('a'), additionalProperties: text },
    { request: ['field * value "b" removed'], response: ['field * value "b" removed'] },
  ],
  [
    'an object is no longer a dictionary',
    { type: 'object', additionalProperties: true },
    { type: 'object' },
    { request: ['field * removed'], response: ['field * removed'] },
  ],
  ['a form is added', red, { anyOf: [red, blue] }, { response: ['form kind "blue" added'] }],
  ['a form is removed', { oneOf: [red, blue] }, red, { request: ['form kind "blue" removed'] }],
  ['forms change places', { anyOf: [red, blue] }, { anyOf: [blue, red] }, {}],
  [
    'one of several forms changes',
    { anyOf: [red, blue] },
    { anyOf: [object({ kind: { const: 'red' }, a: number }), blue] },
    { request: ['field a type changed'], response: ['field a type changed'] },
  ],
  [
    'the same is said in parts',
    object({ a: text, b: text }, ['b']),
    { allOf: [object({ a: text }), object({ b: text }, ['b'])] },
    {},
  ],
  [
    'two parts limit the same field',
    object({ a: { type: 'string', minLength: 1, maxLength: 9 } }),
    { allOf: [object({ a: { type: 'string', maxLength: 9 } }), object({ a: { minLength: 1 } })] },
    {},
  ],
  [
    'a part refines another',
    object({ a: text }),
    { allOf: [object({ a: text }), object({ a: { const: 'x' } })] },
    { request: ['field a limited to values'] },
  ],
];

describe('a change of a schema', () => {
  it.each(changes)('%s', (_name, old, now, { request = [], response = [] }) => {
    expect({ request: breaks('request', old, now), response: breaks('response', old, now) }).toEqual({
      request,
      response,
    });
  });

  it.each(changes)('is not found where nothing changes: before %s', (_name, old, now) => {
    for (const schema of [old, now]) {
      expect(breaks('request', schema, schema)).toEqual([]);
      expect(breaks('response', schema, schema)).toEqual([]);
    }
  });

  const tree = { Tree: object({ name: text, children: { type: 'array', items: { $ref: '#/Tree' } } }) };
  const pruned = { Tree: object({ children: { type: 'array', items: { $ref: '#/Tree' } } }) };

  it('in a recursive schema is reported once, under its name', () => {
    const changes = breaks('response', { $ref: '#/Tree' }, { $ref: '#/Tree' }, [tree, pruned]);
    expect(changes).toEqual(['openapi Tree: response field name removed']);
  });

  it('is reported for the operation when the schema was renamed', () => {
    const renamed = { Bush: object({ children: { type: 'array', items: {} } }) };
    expect(breaks('response', { $ref: '#/Tree' }, { $ref: '#/Bush' }, [tree, renamed])).toContain(
      'field name removed',
    );
  });

  it('is an error if a reference cannot be resolved', () => {
    expect(() => breaks('response', { $ref: '#/Tree' }, {})).toThrow(
      'The reference "#/Tree" cannot be resolved.',
    );
  });
});

it('of a recursive union terminates', () => {
  const tree = (leaf: Json) => ({
    $defs: { tree: { anyOf: [leaf, object({ all: { $ref: '#/$defs/tree' } })] } },
  });
  const [old, now] = [tree(text), tree(number)];
  const top = { $ref: '#/$defs/tree' };
  expect(breaks('request', top, top, [old, old])).toEqual([]);
  expect(breaks('request', top, top, [old, now])).toEqual(['type changed']);
});
