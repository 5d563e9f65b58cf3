import { conditionOf } from '@crm/auth';
import type { Condition } from '@crm/contract';
import { all, Binds, sqlKeys, sqlOfConditions, sqlOfOrder, sqlOfRule } from '@crm/query';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { conditions, emails, order, rule, things } from './arbitrary-things.ts';
import { columns, fill, meets, obeys, ordered, type Thing, tables } from './things.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

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

  it('a rule finds what meets its condition, unless a column has comparisons of its own', () => {
    const plain = rule.filter((rule) => !JSON.stringify(rule).includes('"email"'));
    const property = fc.property(plain, (rule) => {
      const meetsRule = conditionOf(rule);
      const met = things.filter((thing) => {
        const [labeled, tagged] = [thing.shared.map(String), thing.tagged.map(String)];
        return meetsRule({ ...thing, labeled, tagged });
      });
      expect(idsOf(met)).toEqual(idsOf(things.filter((thing) => obeys(thing, rule))));
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('an order sorts by its fields and then by id', async () => {
    const property = fc.asyncProperty(order, async (sort) => {
      const binds = new Binds();
      expect(await found('true', binds, sqlOfOrder(sqlKeys(sort, columns, binds)))).toEqual(
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
    expect(() => sqlKeys([['x', 1]], columns, new Binds())).toThrow('"x"');
  });
});
