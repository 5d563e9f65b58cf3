import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrorOf, find, flag, id, integer, nearest, record, text } from './index.ts';

const View = z.object({ id, rank: integer, tags: text(508), team_name: text(45) });
const list = find(View, { own: { contact_id: id } });
const searched = find(View, {
  own: { contact_id: id, $search: text(100).optional(), has_email: flag.optional() },
});
const one = record(View, { id });

const meant = (schema: z.ZodType, input: object) =>
  schema.safeParse(input).error?.issues.map((issue) => fieldErrorOf(issue, input).did_you_mean);

describe('the name that was meant', () => {
  it.each([
    ['rnk', 'rank'],
    ['rnak', 'rank'],
    ['ranks', 'rank'],
    ['RANK', 'rank'],
    ['tag', 'tags'],
    ['tasg', 'tags'],
    ['teamname', 'team_name'],
    ['taem_nmae', 'team_name'],
  ])('is found for %s', (sent, name) => {
    expect(nearest(sent, Object.keys(View.shape))).toBe(name);
  });

  it.each(['page', 'bank_a', 'tax', 'id_or', 'name', 'q', '', 'constructor', '__proto__'])(
    'is not guessed for %j, which is too far from all',
    (sent) => {
      expect(nearest(sent, Object.keys(View.shape))).toBeUndefined();
    },
  );
});

describe('a list parameter with another name in other APIs', () => {
  it.each([
    ['page', '$skip'],
    ['offset', '$skip'],
    ['skip', '$skip'],
    ['$offset', '$skip'],
    ['page_size', '$limit'],
    ['pageSize', '$limit'],
    ['per_page', '$limit'],
    ['per-page', '$limit'],
    ['limit', '$limit'],
    ['sort', '$sort'],
    ['order', '$sort'],
    ['order_by', '$sort'],
    ['fields', '$select'],
    ['select', '$select'],
  ])('is recognized: %s means %s', (sent, name) => {
    for (const schema of [list, searched])
      expect(meant(schema, { contact_id: 1, [sent]: '2' })).toEqual([name]);
  });

  it.each(['q', 'search', 'query', '$serch'])('is recognized where a list can be searched: %s', (sent) => {
    expect(meant(searched, { contact_id: 1, [sent]: 'x' })).toEqual(['$search']);
    expect(meant(list, { contact_id: 1, [sent]: 'x' })).toEqual([undefined]);
  });

  it('is suggested only where it is accepted', () => {
    expect(meant(one, { id: 1, $where: { fields: 'rank' } })).toEqual(['$select']);
    for (const sent of ['page', 'limit', 'sort', 'q'])
      expect(meant(one, { id: 1, $where: { [sent]: '1' } })).toEqual([undefined]);
    expect(meant(list, { contact_id: 1, $or: [{ limit: '1' }] })).toEqual([undefined]);
    expect(meant(list, { contact_id: 1, $select: 'limit' })).toEqual([undefined]);
  });
});

it('a parameter of a single list is suggested like the others, and one of the path is not', () => {
  expect(meant(searched, { contact_id: 1, has_emial: 'true' })).toEqual(['has_email']);
  expect(meant(searched, { contact_id: 1, contact_ids: '1' })).toEqual([undefined]);
});

it('an order by a field with several values is refused with the fields by which lists can be sorted', () => {
  const view = z.object({ id, team: z.object({ id }) });
  const input = { $sort: { team: '1' } };
  const message = 'is not a single value, so the list cannot be sorted by it';
  const errorsIn = (schema: z.ZodType) =>
    schema.safeParse(input).error?.issues.map((issue) => fieldErrorOf(issue, input));
  expect(errorsIn(find(view))).toEqual([{ message, reason: 'not_an_option', valid_options: ['id'] }]);
  expect(errorsIn(find(view, { dotted: true }))).toMatchObject([{ message, valid_options: ['team.id'] }]);
});
