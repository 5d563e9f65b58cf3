import type { Rule } from '@crm/auth';
import type { Condition, FieldKind, Scalar } from '@crm/contract';
import { all, Binds, sqlOfConditions, sqlOfOrder, sqlOfRule } from '@crm/query';
import fc, { type Arbitrary } from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  columns,
  type Field,
  fields,
  fill,
  kinds,
  meets,
  obeys,
  ordered,
  type Thing,
  tables,
} from './things.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

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
  text: fc
    .array(fc.constantFrom('a', 'A', 'b', 'é', 'É', '😀', '%', '_', '\\', "'", ' '), { maxLength: 3 })
    .map((letters) => letters.join('')),
};
const aThing = fc.record({
  ...Object.fromEntries(fields.map((field) => [field, maybe(values[kinds[field]])])),
  shared: ids(3),
  tagged: ids(3),
});
const things = fc
  .sample(aThing, { numRuns: 60, seed: 1 })
  .map((thing, index) => ({ ...thing, id: index + 1 }) as unknown as Thing);

const emails = things.flatMap(({ email }) => email ?? []);

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
        value: fc.array(maybe(value), { maxLength: 3 }),
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
const { conditions } = fc.letrec<{ condition: Condition; conditions: Condition[] }>((tie) => ({
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
  fc.record({ labelled: fc.record({ $overlap: labels }) }),
  fc.record({ tagged: fc.record({ $overlap: labels }) }),
);
const { rule } = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc
    .tuple(
      fc.oneof(fc.constant({}), aPart),
      fc.oneof(aPart, fc.record({ $or: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }) })),
    )
    .map(([one, other]): Rule => ({ ...one, ...other })),
}));

const order = fc.uniqueArray(fc.tuple(fc.constantFrom(...fields), fc.constantFrom<1 | -1>(1, -1)), {
  maxLength: 3,
  selector: ([field]) => field,
});

const client = new pg.Client({ connectionString: inject('postgresUrl') });
beforeAll(async () => {
  await client.connect();
  await client.query(tables);
  await client.query(fill, [JSON.stringify(things)]);
});
afterAll(() => client.end());

async function found(where: string, binds: Binds, by = 'id'): Promise<number[]> {
  const { rows } = await client.query(`select id from things where ${where} order by ${by}`, binds.values);
  return rows.map(({ id }) => id);
}

const idsOf = (some: readonly Thing[]) => some.map(({ id }) => id);

describe('the SQL of', () => {
  it('conditions finds what the conditions mean, whatever they are', async () => {
    const property = fc.asyncProperty(conditions, async (asked) => {
      const binds = new Binds();
      const where = sqlOfConditions(asked, columns, binds);
      const wanted = things.filter((thing) => asked.every((condition) => meets(thing, condition)));
      expect(await found(where, binds)).toEqual(idsOf(wanted));
    });
    // What chance seldom asks: only the letters' case differs.
    const examples: [Condition[]][] = [
      [[{ field: 'name', op: '$like', value: '%É%' }]],
      [
        [
          {
            field: 'email',
            op: '$ne',
            value: emails.find((email) => email !== email.toUpperCase())?.toUpperCase() ?? '',
          },
        ],
      ],
    ];
    await fc.assert(property, { numRuns: 400, examples });
  });

  it('a rule finds what the rule lets see, whatever it is', async () => {
    const property = fc.asyncProperty(rule, async (rule) => {
      const binds = new Binds();
      const where = sqlOfRule(rule, columns, binds);
      expect(await found(where, binds)).toEqual(idsOf(things.filter((thing) => obeys(thing, rule))));
    });
    await fc.assert(property, { numRuns: 300 });
  });

  it('an order sorts by its fields and then by id', async () => {
    const property = fc.asyncProperty(order, async (sort) => {
      const binds = new Binds();
      expect(await found('true', binds, sqlOfOrder(sort, columns, binds))).toEqual(
        idsOf(ordered(things, sort)),
      );
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('a rule and conditions together finds what both find', async () => {
    const property = fc.asyncProperty(rule, conditions, async (rule, asked) => {
      const binds = new Binds();
      const where = all(sqlOfRule(rule, columns, binds), sqlOfConditions(asked, columns, binds));
      const wanted = things.filter((thing) => obeys(thing, rule) && asked.every((one) => meets(thing, one)));
      expect(await found(where, binds)).toEqual(idsOf(wanted));
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('conditions is the same text whatever the values, which are bound', () => {
    const textOf = (value: string) =>
      sqlOfConditions([{ field: 'name', op: '$like', value }], columns, new Binds());
    expect(textOf("'; drop table things; --")).toBe(textOf('a'));
  });

  it('a field without a column is refused', () => {
    expect(() => sqlOfConditions([{ field: 'x', op: '$ne', value: 1 }], columns, new Binds())).toThrow('"x"');
    expect(() => sqlOfRule({ x: 1 }, columns, new Binds())).toThrow('"x"');
    expect(() => sqlOfOrder([['x', 1]], columns, new Binds())).toThrow('"x"');
  });
});
