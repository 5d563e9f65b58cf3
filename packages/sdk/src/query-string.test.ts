import { readQueryString } from '@crm/query';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { queryString } from './query-string.ts';

it('a query string is read by the API as intended, whatever characters it has', () => {
  const name = fc.stringMatching(/^\$?[a-z_]{1,8}$/);
  const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 });
  const values = fc.oneof(value, fc.array(value, { minLength: 2, maxLength: 3 }));
  const query = fc.dictionary(name, fc.oneof(values, fc.dictionary(name, values, { minKeys: 1 })));
  fc.assert(
    fc.property(query, (sent) => {
      expect(JSON.stringify(readQueryString(queryString(sent)))).toBe(JSON.stringify(sent));
    }),
  );
});

it('a query string keeps the members of a condition together, and omits undefined values', () => {
  const query = { $or: [{ name: 'Hot', rank: { $gt: 2 } }, { rank: null }], at: new Date(0), id: undefined };
  expect(decodeURIComponent(queryString(query))).toBe(
    '$or[0][name]=Hot&$or[0][rank][$gt]=2&$or[1][rank]=&at=1970-01-01T00:00:00.000Z',
  );
});

it.each([
  ['id[$in]', { id: { $in: [] } }],
  ['id', { id: [] }],
  ['$or', { $or: [] }],
  ['$or[1][id][$in]', { $or: [{ name: 'Hot' }, { id: { $in: [] } }] }],
  ['id[$in]', { id: { $in: [undefined] } }],
])('a query string never drops %s because it is empty, as if it were no condition', (name, query) => {
  expect(() => queryString(query)).toThrow(new TypeError(`"${name}" is an empty list.`));
});

it.each([
  ['email', { email: {} }],
  ['created_at', { created_at: { $gt: undefined } }],
  ['$or[0][rank]', { $or: [{ rank: { $lt: undefined } }, { name: 'Hot' }] }],
  ['id[0]', { id: [{ $gt: undefined }] }],
])('a query string never drops %s because its bounds are undefined', (name, query) => {
  expect(() => queryString(query)).toThrow(new TypeError(`"${name}" has no value.`));
});

it('a query string omits an undefined bound next to another one, and an empty sort order', () => {
  expect(queryString({ id: { $gt: 1, $lt: undefined }, $sort: {}, $limit: 0 })).toBe(
    'id%5B%24gt%5D=1&%24limit=0',
  );
});

it('a query string omits a condition that excludes nothing', () => {
  expect(queryString({ id: { $nin: [], $gt: 1 } })).toBe('id%5B%24gt%5D=1');
});

const always = { id: { $nin: [] } };

it.each([
  ['alone', { $or: [always] }],
  ['before others', { $or: [always, { name: 'Hot' }] }],
  ['behind others', { $or: [{ name: 'Hot' }, { name: undefined, ...always }] }],
  ['without a condition', { $or: [{ name: 'Hot' }, {}] }],
  ['within another list', { $or: [{ $and: [always, { $or: [always, { rank: 1 }] }] }, { name: 'Hot' }] }],
  ['in a list of conditions that all hold', { $and: [always, { $or: [{ rank: 1 }, always] }] }],
])('a query string omits a choice of conditions one of which always holds: %s', (_, query) => {
  expect(queryString({ ...query, rank: 2 })).toBe('rank=2');
});

it('a query string keeps the other conditions of a list in which one always holds', () => {
  const query = { $and: [always, { rank: 1 }, { $or: [{ ...always, name: 'Hot' }, { rank: 2 }] }] };
  expect(decodeURIComponent(queryString(query))).toBe(
    '$and[1][rank]=1&$and[2][$or][0][name]=Hot&$and[2][$or][1][rank]=2',
  );
});
