import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { choice, color, find, flag, id, instant, integer, number, record, reference, text } from './index.ts';

const View = z.object({
  id,
  rank: integer.nullable(),
  name: text(45).nullable(),
  price: number,
  is_open: flag,
  status: choice('Pending', 'Accepted'),
  color: color.nullable(),
  created_at: instant,
  team: z.object({ id }),
  tags: z.array(z.string()),
});
const list = find(View);

const read = (raw: object) => list.parse(raw);
const errors = (raw: object) =>
  Object.fromEntries(
    (list.safeParse(raw).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );

describe('a list request', () => {
  it('returns the first ten records in the default order when it has no parameters', () => {
    expect(read({})).toEqual({ where: [], sort: [], limit: 10, skip: 0, select: undefined, load: [] });
  });

  it.each([
    ['equality', { rank: '2' }, { field: 'rank', op: '$in', value: [2] }],
    ['a repeated equality', { rank: ['1', '2'] }, { field: 'rank', op: '$in', value: [1, 2] }],
    ['null, also as text', { rank: 'null' }, { field: 'rank', op: '$in', value: [null] }],
    ['no value, of a number', { rank: '' }, { field: 'rank', op: '$in', value: [null] }],
    ['no value, of a text', { name: '' }, { field: 'name', op: '$in', value: ['', null] }],
    ['any value, of a number', { rank: { $ne: '' } }, { field: 'rank', op: '$ne', value: null }],
    ['any value, of a text', { name: { $ne: '' } }, { field: 'name', op: '$nin', value: ['', null] }],
    ['a text that only looks like null', { name: 'null' }, { field: 'name', op: '$in', value: ['null'] }],
    ['one value for $in', { rank: { $in: '3' } }, { field: 'rank', op: '$in', value: [3] }],
    [
      '$in with indexed values',
      { rank: { $in: { 0: '3', 1: '4' } } },
      { field: 'rank', op: '$in', value: [3, 4] },
    ],
    ['$nin', { rank: { $nin: ['3'] } }, { field: 'rank', op: '$nin', value: [3] }],
    ['$ne', { name: { $ne: 'Hot' } }, { field: 'name', op: '$ne', value: 'Hot' }],
    ['$gt', { price: { $gt: '1.50' } }, { field: 'price', op: '$gt', value: 1.5 }],
    [
      'a date as midnight UTC',
      { created_at: { $lt: '2018-01-09' } },
      { field: 'created_at', op: '$lt', value: '2018-01-09T00:00:00.000Z' },
    ],
    ['a boolean as text', { is_open: '0' }, { field: 'is_open', op: '$in', value: [false] }],
    ['$like', { name: { $like: '%ot%' } }, { field: 'name', op: '$like', value: '%ot%' }],
  ])('reads %s', (_, raw, condition) => {
    expect(read(raw).where).toEqual([condition]);
  });

  it.each([
    ['1001', 1000],
    ['99999999999999999999', 1000],
    [99_999, 1000],
    ['007', 7],
    ['0', 0],
  ])('never returns more than the largest page: %s', ($limit, limit) => {
    expect(read({ $limit }).limit).toBe(limit);
  });

  it('combines comparisons into a range, and groups with $or', () => {
    expect(read({ rank: { $gt: '1', $lte: '5' }, $or: [{ name: 'a' }, { rank: '9' }] }).where).toEqual([
      { field: 'rank', op: '$gt', value: 1 },
      { field: 'rank', op: '$lte', value: 5 },
      { any: [[{ field: 'name', op: '$in', value: ['a'] }], [{ field: 'rank', op: '$in', value: [9] }]] },
    ]);
  });

  // The query parser's results for `rank=1&rank[$ne]=2` and longer queries, in any order.
  it.each([
    [['1', { $ne: '2' }], [1], ['$ne']],
    [[{ $ne: '2' }, '1'], [1], ['$ne']],
    [{ 0: '1', 1: '3', $ne: '2' }, [1, 3], ['$ne']],
    [{ 0: { $ne: '2' }, 1: '1', $gt: '0' }, [1], ['$gt', '$ne']],
    [['', { $ne: '2' }], [null], ['$ne']],
  ])('combines equality with operators: %j', (rank, values, operators) => {
    const [equal, ...others] = read({ rank }).where;
    expect(equal).toEqual({ field: 'rank', op: '$in', value: values });
    expect(others.map((condition) => 'op' in condition && condition.op)).toEqual(operators);
  });

  it('limits the page size, and only counts for $limit=0', () => {
    expect(read({ $limit: '5000' }).limit).toBe(1000);
    expect(read({ $limit: '0' }).limit).toBe(0);
  });

  it.each([
    [
      'an unknown field, with a suggestion',
      { nmae: 'x' },
      { nmae: 'Unknown field "nmae". Did you mean "name"?' },
    ],
    [
      'an unknown operator, with a suggestion',
      { rank: { $gtt: '1' } },
      { 'rank.$gtt': 'Unknown operator "$gtt". Did you mean "$gt"?' },
    ],
    ['an operator in place of a field', { $where: '1' }, { $where: 'Unknown operator "$where".' }],
    ['a nested field', { team: '1' }, { team: 'cannot be used as a filter' }],
    ['a dotted field', { 'team.id': '1' }, { 'team.id': 'Unknown field "team.id".' }],
    ['text for a number', { rank: 'abc' }, { rank: 'must be a whole number' }],
    [
      'a whole number that is too large',
      { id: { $lt: '9999999999999999' } },
      { 'id.$lt': 'must be at most 9007199254740991' },
    ],
    [
      'a whole number with many digits',
      { id: '-99999999999999999999' },
      { id: 'must be at least -9007199254740991' },
    ],
    ['a fraction for a whole number', { rank: '1.5' }, { rank: 'must be a whole number' }],
    ['several numbers in one value', { id: '1,2' }, { id: expect.stringContaining('repeat the parameter') }],
    ['a relation of no list', { $load: 'asigned_user' }, { $load: 'Unknown name "asigned_user".' }],
    [
      'a day that does not exist',
      { created_at: '2018-02-30' },
      { created_at: expect.stringContaining('must be a date') },
    ],
    ['a value outside its set', { status: 'accepted' }, { status: 'must be one of Pending, Accepted' }],
    [
      'equality and an operator with invalid values',
      { rank: ['x', { $ne: 'y' }] },
      { rank: 'must be a whole number', 'rank.$ne': 'must be a whole number' },
    ],
    ['no value beside one', { rank: ['1', {}] }, { rank: 'has no value' }],
    ['a negative page size', { $limit: '-1' }, { $limit: expect.stringContaining('must be a whole number') }],
    ['a page size given twice', { $limit: ['5', '9'] }, { $limit: expect.any(String) }],
    [
      'an offset with a cursor',
      { $after: 'next', $skip: '1' },
      { $skip: 'cannot be combined with $after, which says where the page begins' },
    ],
    ['an invalid offset', { $skip: 'NaN' }, { $skip: expect.any(String) }],
    [
      'an order by an unknown field',
      { $sort: { rnk: '1' } },
      { '$sort.rnk': 'Unknown field "rnk". Did you mean "rank"?' },
    ],
    ['an order by a nested field', { $sort: { team: '1' } }, { '$sort.team': expect.any(String) }],
    ['an invalid sort direction', { $sort: { rank: 'up' } }, { '$sort.rank': 'must be 1 or -1' }],
    [
      'an unknown field in $select',
      { $select: ['rnak'] },
      { $select: 'Unknown name "rnak". Did you mean "rank"?' },
    ],
    ['NUL', { name: 'a\u0000' }, { name: 'must not contain NUL or an unpaired surrogate' }],
    ['a value that is too long', { name: 'a'.repeat(2001) }, { name: 'must have at most 2000 characters' }],
    ['an unpaired surrogate', { name: '\ud800' }, { name: 'must not contain NUL or an unpaired surrogate' }],
    [
      'a prototype key',
      JSON.parse('{"__proto__": "x"}'),
      JSON.parse('{"__proto__": "Unknown field \\"__proto__\\"."}'),
    ],
    ['$like on a number', { rank: { $like: '%1%' } }, { 'rank.$like': 'is only supported for text fields' }],
  ])('rejects %s', (_, raw, expected) => {
    expect(Object.entries(errors(raw))).toEqual(Object.entries(expected));
  });

  it('reports all errors at once', () => {
    expect(Object.keys(errors({ rank: 'x', nmae: 'y', $limit: 'z' }))).toEqual(['rank', 'nmae', '$limit']);
  });

  it('limits the number of conditions, values and levels', () => {
    const many = Array.from({ length: 101 }, () => ({ rank: '1' }));
    expect(errors({ $or: many })).not.toEqual({});
    const others = (count: number) => ({
      rank: Array.from({ length: count }, () => ({ $gt: '1', $ne: '3' })),
    });
    expect(errors(others(50))).toEqual({});
    expect(errors(others(51))).toEqual({ rank: 'The request has more than 100 conditions.' });
    expect(errors({ rank: { 0: '1', $ne: '2' }, $and: many.slice(3) })).not.toEqual({});
    expect(errors({ rank: Array.from({ length: 1001 }, () => '1') })).not.toEqual({});
    expect(errors({ $or: [{ $or: [{ $or: [{ $or: [{ rank: '1' }] }] }] }] })).not.toEqual({});
    expect(errors({ rank: Array.from({ length: 1000 }, () => '1') })).toEqual({});
    const likes = (count: number) => Array.from({ length: count }, () => ({ name: { $like: '%a%' } }));
    expect(errors({ $or: likes(4), color: { $like: '#%' } })).toEqual({});
    expect(errors({ $or: likes(3), $and: likes(2), color: { $like: '#%' } })).toEqual({
      'color.$like': expect.stringMatching(/may use \$like at most 5 times\. Use/),
    });
  });
});

describe('an enumeration that reads None as null in a body', () => {
  const method = z.preprocess((sent) => (sent === 'None' ? null : sent), choice('Team', 'Zip').nullable());
  const routes = find(z.object({ id, method, status: choice('Open') }));

  it.each([
    [{ method: 'None' }, { field: 'method', op: '$in', value: [null] }],
    [{ method: { $in: ['None', 'Zip'] } }, { field: 'method', op: '$in', value: [null, 'Zip'] }],
    [{ method: { $ne: 'None' } }, { field: 'method', op: '$ne', value: null }],
  ])('also reads it in filters: %j', (raw, condition) => {
    expect(routes.parse(raw as object).where).toEqual([condition]);
  });

  it('is the only enumeration that does', () => {
    expect(routes.safeParse({ status: 'None' } as object).success).toBe(false);
  });
});

describe('the fields to return', () => {
  const dotted = { dotted: true } as const;
  const requests = { list: find(View, dotted), record: record(View, { id }, dotted) };

  it.each(Object.entries(requests))('cannot be parts of nested records in a %s', (_, schema) => {
    const { error } = schema.safeParse({ id: 1, $select: 'team.id' });
    expect(error?.issues).toMatchObject([{ message: 'Unknown name "team.id".', path: ['$select'] }]);
    expect(schema.safeParse({ id: 1, $select: 'team' }).success).toBe(true);
  });
});

describe('a record request', () => {
  it('reads its conditions in the same query language', () => {
    const schema = record(View, { id });
    expect(schema.parse({ id: '7', $where: { rank: { $gt: 1 } }, $select: 'name' })).toEqual({
      id: 7,
      $where: [{ field: 'rank', op: '$gt', value: 1 }],
      $select: ['name'],
    });
    expect(schema.safeParse({ id: 7, $where: { nope: 1 } }).error?.issues[0]?.path).toEqual([
      '$where',
      'nope',
    ]);
  });
});

describe('values', () => {
  it.each([
    ['2017-07-08T11:11:11.000Z', '2017-07-08T11:11:11.000Z'],
    ['2017-07-08T11:11:11Z', '2017-07-08T11:11:11.000Z'],
    ['2017-07-08T11:11:11+05:30', '2017-07-08T05:41:11.000Z'],
    // An unescaped plus arrives as a space.
    ['2017-07-08T11:11:11 05:30', '2017-07-08T05:41:11.000Z'],
    ['2017-07-08 11:11 0530', '2017-07-08T05:41:00.000Z'],
    ['2017-07-08 11:11', '2017-07-08T11:11:00.000Z'],
    ['2017-07-08 11:11:11', '2017-07-08T11:11:11.000Z'],
    ['2017-07-08', '2017-07-08T00:00:00.000Z'],
    ['2017-07-08T11:11:11.123456Z', '2017-07-08T11:11:11.123Z'],
  ])('reads %s as an instant', (sent, read) => {
    expect(instant.parse(sent)).toBe(read);
  });

  it.each(['2017-13-01', '2017-02-29T00:00:00Z', 'yesterday', '', '1499512271', 20170708, null])(
    'rejects %j as an instant',
    (sent) => {
      expect(instant.safeParse(sent).success).toBe(false);
    },
  );

  it.each([null, '', true, '0x10', '1e3', '１', 1.5, 2 ** 31, '2147483648', ' 1'])(
    'rejects %j as a whole number',
    (sent) => {
      expect(integer.safeParse(sent).success).toBe(false);
    },
  );

  it.each([
    [integer, 1e20, 'must be at most 2147483647'],
    [integer, '99999999999999999999', 'must be at most 2147483647'],
    [integer, -9_007_199_254_740_992, 'must be at least -2147483648'],
    [integer, 3_000_000_000, 'must be at most 2147483647'],
    [number, 1e20, 'must be at most 9007199254740991'],
    [number, '-1e300', 'must be at least -9007199254740991'],
    [number, '9'.repeat(25), 'must be at most 9007199254740991'],
  ])('says which number is too large: %#', (schema, sent, message) => {
    expect(schema.safeParse(sent).error?.issues).toMatchObject([{ message }]);
  });

  it('counts characters as PostgreSQL does, not as JavaScript does', () => {
    expect(text(3).safeParse('👍👍👍').success).toBe(true);
    expect(text(3).safeParse('👍👍👍👍').success).toBe(false);
  });

  it.each([0, '0', '00', '', null])('reads %j as null', (sent) => {
    expect(reference.parse(sent)).toBeNull();
  });

  it('documents that 0 means null', () => {
    const from = (minimum: number) => ({
      anyOf: [{ type: 'integer', minimum, maximum: 2147483647 }, { type: 'null' }],
    });
    expect(z.toJSONSchema(reference, { io: 'input' })).toMatchObject(from(0));
    expect(z.toJSONSchema(reference, { io: 'output' })).toMatchObject(from(1));
  });

  it('uses the same schema to read and to document them', () => {
    const { properties } = z.toJSONSchema(View, { io: 'output' });
    expect(properties?.rank).toEqual({
      anyOf: [{ type: 'integer', minimum: -2147483648, maximum: 2147483647 }, { type: 'null' }],
    });
  });
});
