import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  choice,
  color,
  fieldErrorOf,
  find,
  integerFrom,
  invalidFields,
  inWords,
  record,
  required,
  text,
  unknownRecord,
} from './index.ts';

const status = choice('Pending', 'Offered', 'Claimed');
const draft = z.object({
  name: text(10),
  rank: integerFrom(1, 9).optional(),
  color: color.optional(),
  status: status.optional(),
  tags: z.array(text(5)).max(1).optional(),
});
const list = find(z.object({ name: text(10), status }), { own: { team_id: z.int() } });

const errorsOf = (schema: z.ZodType, input: unknown) =>
  (schema.safeParse(input, { error: inWords }).error?.issues ?? []).map((issue) =>
    fieldErrorOf(issue, input),
  );

describe('the error of a field', () => {
  it.each([
    ['a missing field', draft, {}, { reason: 'required', message: 'is required' }],
    ['another type', draft, { name: ['x'] }, { reason: 'wrong_type' }],
    ['a long text', draft, { name: 'x'.repeat(11) }, { reason: 'too_long' }],
    ['a long list', draft, { name: '', tags: ['a', 'b'] }, { reason: 'too_long' }],
    ['a large number', draft, { name: '', rank: 10 }, { reason: 'out_of_range' }],
    ['another form', draft, { name: '', color: 'red' }, { reason: 'invalid_value' }],
    [
      'another case',
      draft,
      { name: '', status: 'claimed' },
      { reason: 'not_an_option', valid_options: ['Pending', 'Offered', 'Claimed'], did_you_mean: 'Claimed' },
    ],
    ['an item of a list', draft, { name: '', tags: [1] }, { reason: 'wrong_type' }],
    [
      'a parameter of the list',
      list,
      { team_id: 'x' },
      { reason: 'wrong_type', message: 'must be a number' },
    ],
    ['a missing parameter', list, {}, { reason: 'required' }],
    [
      'a misspelled filter',
      list,
      { team_id: 1, nmae: 'x' },
      {
        reason: 'unknown_name',
        did_you_mean: 'name',
        valid_options: expect.arrayContaining(['name', '$limit']),
      },
    ],
    [
      'a filter outside its set',
      list,
      { team_id: 1, status: 'offerd' },
      { reason: 'not_an_option', did_you_mean: 'Offered' },
    ],
    ['another direction', list, { team_id: 1, $sort: { name: 'up' } }, { valid_options: ['1', '-1'] }],
  ])('describes %s', (_, schema, input, expected) => {
    expect(errorsOf(schema, input)).toEqual([expect.objectContaining(expected)]);
  });

  it('lists no more options than a person would read', () => {
    const many = choice('a', ...Array.from({ length: 40 }, (_, index) => `option ${index}`));
    expect(errorsOf(z.object({ many }), { many: 'optin 7' })).toEqual([
      { reason: 'not_an_option', message: expect.any(String), did_you_mean: 'option 7' },
    ]);
  });
});

describe('an unknown name in the conditions of a request', () => {
  const one = record(z.object({ name: text(10) }), { id: z.int() });

  it.each([
    ['a group', list, { team_id: 1, $or: [{ $limit: '1' }] }, ['name', 'status', '$or', '$and']],
    [
      'a group in a group',
      list,
      { team_id: 1, $and: [{ $or: [{ $sort: '1' }] }] },
      ['name', 'status', '$or', '$and'],
    ],
    ['one record', one, { id: 1, $where: { $limit: '1' } }, ['name', '$or', '$and', '$select', '$load']],
    [
      'a group for one record',
      one,
      { id: 1, $where: { $or: [{ $select: 'name' }] } },
      ['name', '$or', '$and'],
    ],
  ])('suggests the accepted name: %s', (_, schema, input, valid_options) => {
    expect(errorsOf(schema, input)).toEqual([
      expect.objectContaining({ reason: 'unknown_name', valid_options }),
    ]);
  });

  it.each([
    ['$aftr', '$after'],
    ['$lod', '$load'],
    ['$an', '$and'],
    ['$limt', '$limit'],
  ])('suggests the intended operator: %s', (name, did_you_mean) => {
    expect(errorsOf(list, { team_id: 1, [name]: 'x' })).toEqual([expect.objectContaining({ did_you_mean })]);
  });
});

describe('the error of a request', () => {
  it('is that of its first field, with the number of further ones', () => {
    expect(
      invalidFields({ errors: { contact_id: unknownRecord(7), name: required, rank: 'is odd' } }),
    ).toMatchObject({
      message: "contact_id '7' does not exist (and 2 more).",
      reason: 'unknown_record',
      errors: { contact_id: "'7' does not exist", name: 'is required', rank: 'is odd' },
      details: {
        contact_id: { reason: 'unknown_record' },
        name: { reason: 'required' },
        rank: { reason: 'invalid_value' },
      },
    });
    expect(invalidFields({ errors: { x: 'Unknown field "x".' } }).message).toBe('Unknown field "x".');
  });
});
