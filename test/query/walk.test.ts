import type { Rule } from '@crm/auth';
import { findPage, type ListQuery, type ReadModel } from '@crm/data';
import { someone } from '@crm/testing';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { aThing, conditions, order, rule, things } from './arbitrary-things.ts';
import { columns, fields, fill, kinds, meets, obeys, ordered, type Thing, tables } from './things.ts';

const client = new pg.Client({ connectionString: inject('postgresUrl') });
beforeAll(async () => {
  await client.connect();
  await client.query(`set timezone to 'UTC'; ${tables}`);
  await client.query(fill, [JSON.stringify(things)]);
});
afterAll(() => client.end());

const user = someone();
const query = async (text: string, values: readonly unknown[]) =>
  (await client.query(text, [...values])).rows;

const listOf = (visible: Rule): ReadModel => ({
  table: 'things',
  columns,
  viewerColumns: new Map(),
  fields: new Map(fields.map((field) => [field, `things.${field}`])),
  visible: () => visible,
  order: [['rank', 1]],
  first: undefined,
  totals: undefined,
});

interface Page {
  readonly total: number;
  readonly data: readonly { readonly id: number }[];
  readonly next?: string | null;
}

type WalkedList = Pick<ListQuery, 'where' | 'sort' | 'limit'>;

async function pageOf(visible: Rule, asked: Partial<ListQuery> & WalkedList): Promise<Page> {
  const { text } = await findPage(query, listOf(visible), user, { skip: 0, select: undefined, ...asked });
  return JSON.parse(text) as Page;
}

/** The ids of all records, page by page. */
async function walk(visible: Rule, asked: WalkedList, between: () => Promise<void> = async () => {}) {
  const pages: Page[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page = await pageOf(visible, { ...asked, after });
    pages.push(page);
    await between();
    after = page.next ?? null;
    if (pages.length > 200) throw new Error('The list has no end.');
  }
  return { pages, ids: pages.flatMap(({ data }) => data.map(({ id }) => id)) };
}

/** Whose records a user sees: of some owners, of an owner and what is shared, or by any rule. */
const sight = fc.oneof(
  fc.constant({}),
  fc.record({ rank: fc.integer({ min: -2, max: 5 }) }),
  fc
    .tuple(fc.uniqueArray(fc.integer({ min: -2, max: 5 }), { minLength: 1, maxLength: 4 }), fc.nat(4))
    .map(([rank, id]): Rule => ({ $or: [{ rank }, { shared: { $contains: [id] } }, { score: id }] })),
  rule,
);

const asked = fc.record({ where: conditions, sort: order, limit: fc.integer({ min: 1, max: 20 }) });

/** How many blocks PostgreSQL reads for a page of the records of one owner. */
async function blocksFor(asked: ListQuery): Promise<number> {
  let blocks = Number.NaN;
  const explained = async (text: string, values: readonly unknown[]) => {
    const [row] = await query(`explain (analyze, buffers, format json) ${text}`, values);
    const [{ Plan }] = row['QUERY PLAN'];
    blocks = Number(Plan['Local Hit Blocks']) + Number(Plan['Local Read Blocks']);
    return [{ total: 0, records: null }];
  };
  await findPage(explained, listOf({ rank: 9 }), user, asked);
  return blocks;
}

const idsOf = (some: readonly Thing[]) => some.map(({ id }) => id);
const seenBy = (some: readonly Thing[], visible: Rule, { where, sort }: WalkedList) =>
  ordered(
    some.filter((thing) => obeys(thing, visible) && where.every((condition) => meets(thing, condition))),
    sort.length > 0 ? sort : [['rank', 1]],
  );

describe('reading a list page by page', () => {
  it('gives the same records in the same order as the list, whatever it is', async () => {
    const property = fc.asyncProperty(sight, asked, async (visible, asked) => {
      const wanted = idsOf(seenBy(things, visible, asked));
      const { pages, ids } = await walk(visible, asked);
      expect(ids).toEqual(wanted);
      expect(pages.map(({ total }) => total)).toEqual(pages.map(() => wanted.length));
      expect(pages.length).toBe(Math.max(1, Math.ceil(wanted.length / asked.limit)));
    });
    await fc.assert(property, { numRuns: 200 });
  });

  it('gives each record that is there all the time once, while others are added and removed', async () => {
    const changes = fc.array(
      fc.oneof(
        fc.record({ added: aThing, sharing: fc.nat(59) }),
        fc.record({ removed: fc.integer({ min: 1, max: 60 }) }),
      ),
      { minLength: 3, maxLength: 12 },
    );
    const property = fc.asyncProperty(sight, asked, changes, async (visible, asked, changes) => {
      await client.query('begin');
      const [rest, removed] = [[...changes], new Set<number>()];
      let last = 1000;
      const { ids } = await walk(visible, { ...asked, limit: Math.min(asked.limit, 5) }, async () => {
        const change = rest.shift();
        if (change === undefined) return;
        if ('removed' in change) {
          removed.add(change.removed);
          await client.query('delete from things where id = $1', [change.removed]);
        } else {
          last += 1;
          // Some have the values of a record that was there.
          const thing = { ...change.added, ...(change.sharing % 2 && things[change.sharing]), id: last };
          await client.query(fill, [JSON.stringify([thing])]);
        }
      });
      await client.query('rollback');
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.filter((id) => id <= 1000 && !removed.has(id))).toEqual(
        idsOf(seenBy(things, visible, asked)).filter((id) => !removed.has(id)),
      );
    });
    await fc.assert(property, { numRuns: 100 });
  });

  it('reads as little for a page far into the list as for one of the first', async () => {
    await client.query('begin');
    await client.query(
      `insert into things (id, rank, seen_at, local_at, shared) select i, 9, timestamptz '2026-01-01' + i / 3 * interval '1 s',
         case when i % 2 = 0 then timestamptz '2026-01-01' + i * interval '1 s' end, '{}' from generate_series(1001, 61000) i;
       create index on things (rank, id); create index on things (rank, seen_at, id); create index on things (rank, local_at, id);
       analyze things`,
    );
    const orders = [
      [['id', 1]],
      [['id', -1]],
      [['seen_at', 1]],
      [['seen_at', -1]],
      [
        ['seen_at', 1],
        ['id', -1],
      ],
      [['local_at', 1]],
      [
        ['local_at', 1],
        ['id', -1],
      ],
    ] as const;
    for (const sort of orders) {
      const asked = { where: [], sort, limit: 10 };
      const read = await Promise.all(
        [10, 50_000].map(async (skip) => {
          const { next } = await pageOf({ rank: 9 }, { ...asked, skip, after: '' });
          return blocksFor({ ...asked, skip: 0, select: undefined, after: next ?? '' });
        }),
      );
      expect(Math.max(...read), JSON.stringify([sort, read])).toBeLessThan(120);
    }
    await client.query('rollback');
  });

  it('gives records with texts that differ late once, and fits into a URL', async () => {
    await client.query('begin');
    const long = Array.from({ length: 9 }, (_, at) => ({
      ...things[0],
      id: 1001 + at,
      name: `${'🏡'.repeat(600)}${at % 3}`,
      email: '🏡'.repeat(600),
    }));
    await client.query(fill, [JSON.stringify(long)]);
    const sort = [
      ['name', -1],
      ['email', 1],
    ] as const;
    const { pages, ids } = await walk(
      {},
      { where: [{ field: 'id', op: '$gt', value: 1000 }], sort, limit: 2 },
    );
    await client.query('rollback');
    expect(ids).toEqual(long.map(({ id }) => id));
    expect(Math.max(...pages.map(({ next }) => (next ?? '').length))).toBeLessThan(8_000);
  });

  it('can begin behind some records, and ask for more with each page', async () => {
    const asked = { where: [], sort: [['name', -1]], limit: 7 } as const;
    const wanted = idsOf(seenBy(things, {}, asked));
    const first = await pageOf({}, { ...asked, skip: 3, after: '' });
    const second = await pageOf({}, { ...asked, limit: 9, after: first.next ?? '' });
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(wanted.slice(3, 19));
  });

  it('says where to read on only if it was asked, and if there is more', async () => {
    const asked = { where: [], sort: [], limit: things.length };
    expect(await pageOf({}, asked)).not.toHaveProperty('next');
    expect(await pageOf({}, { ...asked, after: '' })).toHaveProperty('next', null);
    expect(await pageOf({}, { ...asked, limit: 0, after: '' })).toMatchObject({
      total: 60,
      data: [],
      next: null,
    });
  });

  it('refuses a cursor of another order or list, and one that was made up', async () => {
    const asked = { where: [], sort: [['rank', -1]], limit: 5 } as const;
    const { next } = await pageOf({}, { ...asked, after: '' });
    const cursor = next ?? '';
    const read = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const made = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const refused = async (after: string, sort: ListQuery['sort'] = asked.sort) => {
      const error: unknown = await pageOf({}, { ...asked, sort, after }).catch((error: unknown) => error);
      return (error as { readonly errors?: { readonly $after?: string } }).errors?.$after;
    };
    expect(await refused(cursor, [['rank', 1]])).toMatch(/in the order -rank,-id; send the same \$sort/);
    const [, sort, total] = read;
    const wrong = [
      'x',
      'null',
      made(),
      made('people', ...read.slice(1)),
      made('things', sort, -1, '1', '1'),
      made('things', sort, total, '1'),
      made('things', sort, total, '1', null),
      made('things', sort, total, 'x', '1'),
      made('things', sort, total, 1, '1'),
      made('things', sort, total, '1', '9'.repeat(20)),
    ];
    for (const after of wrong) expect(await refused(after), after).toMatch(/"next" of the previous page/);
    const values = { number: '1e999', boolean: '1', instant: '2026-13-01', localTime: 'x', text: '\u0000' };
    for (const field of fields.filter((field) => kinds[field] !== 'integer')) {
      const value = values[kinds[field] as keyof typeof values];
      const after = made('things', `${field},id`, 1, value, '1');
      expect(await refused(after, [[field, 1]]), field).toMatch(/"next" of the previous page/);
    }
  });
});
