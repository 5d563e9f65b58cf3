import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { isJson, type Json, jsonOf, textsOf } from '../src/json-schema.ts';

const ajv = new Ajv2020({ strict: false });

/** Whether an independent validator accepts a value. */
export const isValid = (schema: Json, value: unknown): boolean =>
  ajv.compile(schema as AnySchemaObject)(value) === true;

/** A schema before and after a change. */
export type Pair = readonly [old: Json, now: Json];

/** Texts and numbers on both sides of every limit that `leaf` sets. */
export const plainValues: readonly unknown[] = [
  ...['', 'a', 'b', 'c', 'ab', 'aab', 'abbb', 'aabbb', 'aaabbb'],
  ...[-1, 0, 1, 2, 3, 4, 5, 6],
  ...[-0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5],
  ...[true, false],
];

const limit = (keyword: string, least: number, most: number) =>
  fc.option(
    fc.integer({ min: least, max: most }).map((value): Json => ({ [keyword]: value })),
    { nil: {} },
  );

const limited = (type: string, ...limits: fc.Arbitrary<Json>[]) =>
  fc.tuple(...limits).map((parts): Json => Object.assign({ type }, ...parts));

export const leaf: fc.Arbitrary<Json> = fc.oneof(
  limited('string', limit('minLength', 0, 2), limit('maxLength', 3, 5)),
  limited('integer', limit('minimum', 0, 2), limit('maximum', 3, 5)),
  limited('number', limit('minimum', 0, 2), limit('maximum', 3, 5)),
  fc.constant({ type: 'boolean' }),
  fc.constantFrom('a', 'b', 'c').map((value) => ({ const: value })),
  fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }).map((values) => ({ enum: values })),
);

const patterned = fc.constantFrom('^a', 'b$').map((pattern): Json => ({ type: 'string', pattern }));

const same = (schema: Json): Pair => [schema, schema];
const leafPair: fc.Arbitrary<Pair> = fc.oneof(
  leaf.map(same),
  fc.tuple(fc.oneof(leaf, patterned), leaf),
  fc.tuple(leaf, patterned),
);

const nullable = (schema: Json, isNullable: boolean): Json =>
  isNullable ? { anyOf: [schema, { type: 'null' }] } : schema;

/** Usually alike, because otherwise every pair would break something. */
const usuallyAlike = fc.oneof(
  { weight: 3, arbitrary: fc.boolean().map((value) => [value, value] as const) },
  { weight: 1, arbitrary: fc.tuple(fc.boolean(), fc.boolean()) },
);

/** The schema of a field in one version; undefined if it has no such field. */
type Field = { readonly schema: Json; readonly isRequired: boolean } | undefined;

export const { pair } = fc.letrec<{ pair: Pair; field: readonly [Field, Field]; object: Pair }>((tie) => ({
  pair: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leafPair,
    tie('object'),
    fc
      .tuple(tie('pair'), usuallyAlike)
      .map(([[old, now], [was, is]]): Pair => [nullable(old, was), nullable(now, is)]),
    tie('pair').map(
      ([old, now]): Pair => [
        { type: 'array', items: old },
        { type: 'array', items: now },
      ],
    ),
    fc
      .tuple(tie('pair'), tie('pair'))
      .map(([[a, b], [c, d]]): Pair => [{ anyOf: [a, c] }, { anyOf: [d, b] }]),
  ),
  field: fc
    .tuple(tie('pair'), usuallyAlike, usuallyAlike)
    .map(([[old, now], [had, has], [wasRequired, isRequired]]): readonly [Field, Field] => [
      had ? { schema: old, isRequired: wasRequired } : undefined,
      has ? { schema: now, isRequired } : undefined,
    ]),
  object: fc
    .dictionary(fc.constantFrom('a', 'b', 'c'), tie('field'), { maxKeys: 3 })
    .map((fields): Pair => [objectOf(fields, 0), objectOf(fields, 1)]),
}));

function objectOf(fields: Readonly<Record<string, readonly [Field, Field]>>, version: 0 | 1): Json {
  const said = Object.entries(fields).flatMap(([name, versions]) => {
    const field = versions[version];
    return field ? [{ name, ...field }] : [];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(said.map(({ name, schema }) => [name, schema])),
    required: said.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

/** Values that a schema allows, without fields that it does not list. */
export function valuesFor(schema: Json): fc.Arbitrary<unknown> {
  const { anyOf, type, properties, items } = schema;
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.filter(isJson).map(valuesFor));
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return fc.array(valuesFor(jsonOf(items)), { maxLength: 3 });
  if (type === 'object') {
    const fields: Record<string, fc.Arbitrary<unknown>> = {};
    for (const [name, field] of Object.entries(jsonOf(properties))) fields[name] = valuesFor(jsonOf(field));
    return fc.record(fields, { requiredKeys: textsOf(schema.required) });
  }
  return fc.constantFrom(...plainValues.filter((value) => isValid(schema, value)));
}
