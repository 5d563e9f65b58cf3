import type { Rule } from '@crm/auth';
import type { Condition, FieldKind, Scalar } from '@crm/contract';
import fc, { type Arbitrary } from 'fast-check';
import { type Field, fields, kinds, type Thing } from './things.ts';

const maybe = <Value>(value: Arbitrary<Value>) => fc.option(value, { nil: null, freq: 4 });
const ids = (most: number) => fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: most });
const labels = ids(2).map((some) => some.map(String));

/** Few different values, so that what is asked for is there, or nearly. */
const values: Record<FieldKind, Arbitrary<string | number | boolean>> = {
  integer: fc.integer({ min: -2, max: 5 }),
  number: fc.integer({ min: -4, max: 6 }).map((value) => value / 4),
  boolean: fc.boolean(),
  instant: fc.constantFrom(
    '2026-01-02T00:00:00.000Z',
    '2026-01-05T12:00:00.500Z',
    '2026-01-05T12:00:00.501Z',
  ),
  localTime: fc.constantFrom('2026-01-02T00:00:00.000Z', '2026-01-05T09:00:00.000Z'),
  duration: fc.nat(5),
  text: fc
    .array(fc.constantFrom('a', 'A', 'b', 'é', 'É', '😀', '%', '_', '\\', "'", ' '), { maxLength: 3 })
    .map((letters) => letters.join('')),
};
export const aThing = fc.record({
  ...Object.fromEntries(fields.map((field) => [field, maybe(values[kinds[field]])])),
  shared: ids(3),
  tagged: ids(3),
});
export const things = fc
  .sample(aThing, { numRuns: 60, seed: 1 })
  .map((thing, index) => ({ ...thing, id: index + 1 }) as unknown as Thing);

export const emails = things.flatMap(({ email }) => email ?? []);

const asked = (field: Field): Arbitrary<Scalar> => {
  const kind = kinds[field];
  const beyond = kind === 'integer' ? [fc.constantFrom(2_147_483_648, -9_007_199_254_740_991)] : [];
  return fc.oneof({ arbitrary: values[kind], weight: 5 }, ...beyond);
};

/** Patterns that hold for something: a text itself, with a gap, or as a part. */
const pattern = fc
  .tuple(values.text, values.text, fc.constantFrom('', '%', '_'))
  .map(([before, after, gap]) => before + gap + after);

const aComparison = fc.constantFrom(...fields).chain((name): Arbitrary<Condition> => {
  const field = fc.constant(name);
  const value = asked(name);
  const like = fc.record({ field, op: fc.constant('$like' as const), value: pattern });
  return fc.oneof(
    { arbitrary: like, weight: kinds[name] === 'text' ? 6 : 0 },
    {
      arbitrary: fc.record({
        field,
        op: fc.constantFrom('$in' as const, '$nin' as const),
        // Few values and many are different statements.
        value: fc.array(maybe(value), { maxLength: 7 }),
      }),
      weight: 2,
    },
    { arbitrary: fc.record({ field, op: fc.constant('$ne' as const), value: maybe(value) }), weight: 1 },
    {
      arbitrary: fc.record({
        field,
        op: fc.constantFrom('$lt' as const, '$lte' as const, '$gt' as const, '$gte' as const),
        value,
      }),
      weight: 4,
    },
  );
});
export const { conditions } = fc.letrec<{ condition: Condition; conditions: Condition[] }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    { arbitrary: aComparison, weight: 3 },
    fc.record({ any: fc.array(tie('conditions'), { minLength: 1, maxLength: 3 }) }),
  ),
  conditions: fc.array(tie('condition'), { maxLength: 3 }),
}));

const aPart: Arbitrary<Rule> = fc.oneof(
  fc.record({
    rank: fc.oneof(maybe(values.integer), fc.array(fc.integer({ min: -2, max: 5 }), { maxLength: 3 })),
  }),
  fc.record({ open: fc.boolean() }),
  fc.record({ email: values.text }),
  fc.record({ shared: fc.record({ $contains: ids(2) }) }),
  fc.record({ labeled: fc.record({ $overlap: labels }) }),
  fc.record({ tagged: fc.record({ $overlap: labels }) }),
);
export const { rule } = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc
    .tuple(
      fc.oneof(fc.constant({}), aPart),
      fc.oneof(aPart, fc.record({ $or: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }) })),
    )
    .map(([one, other]): Rule => ({ ...one, ...other })),
}));

export const order = fc.uniqueArray(fc.tuple(fc.constantFrom(...fields), fc.constantFrom<1 | -1>(1, -1)), {
  maxLength: 3,
  selector: ([field]) => field,
});
