import { find, integer, internal, notFound, operation, pageOf, refusal, text } from '@crm/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { contractDocument } from './contract-document.ts';
import { compareContracts } from './contracts.ts';

const View = z.object({ id: integer, name: text(45) });
const draft = {
  kind: 'query',
  for: 'system',
  callers: ['scheduling', 'operator'],
  summary: 'Read things by their ids',
  input: z.object({ ids: z.array(integer).max(1000) }),
  output: z.array(View),
  refuses: [notFound],
} as const;
const byIds = internal(draft);
const published = operation({
  rest: 'GET /things',
  summary: 'List things',
  input: find(View),
  output: pageOf(View),
});
const conflict = refusal('Conflict', 'There is one already.', {
  reason: 'exists',
  when: '',
  fix: '',
  example: '',
});

const documentOf = (operations: Parameters<typeof contractDocument>[1][string]) =>
  contractDocument('shop', { things: operations });
const idsOf = (now: Parameters<typeof documentOf>[0], old: Parameters<typeof documentOf>[0] = { byIds }) =>
  compareContracts('shop', documentOf(old), documentOf(now)).map(({ id }) => id);

describe('the document of a contract', () => {
  it('describes the input, output and errors of an operation for other services', () => {
    expect(documentOf({ byIds })).toEqual({
      service: 'shop',
      operations: {
        'things.byIds': {
          summary: 'Read things by their ids',
          kind: 'query',
          for: 'system',
          callers: ['operator', 'scheduling'],
          input: {
            type: 'object',
            properties: {
              ids: {
                type: 'array',
                maxItems: 1000,
                items: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
              },
            },
            required: ['ids'],
          },
          output: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                id: { type: 'integer', minimum: -2147483648, maximum: 2147483647 },
                name: { type: 'string', maxLength: 45 },
              },
              required: ['id', 'name'],
            },
          },
          refuses: ['NotFound'],
        },
      },
    });
  });

  it('only names what the public document describes', () => {
    expect(documentOf({ find: published }).operations).toEqual({ 'things.find': { rest: 'GET /things' } });
  });

  it('names the fields that a list can be filtered by', () => {
    const search = internal({
      ...draft,
      input: find(View, { own: { user_id: integer }, load: ['template'] }),
    });
    expect(documentOf({ search }).operations['things.search']).toMatchObject({
      input: {
        properties: {
          id: {},
          name: {},
          $load: { items: { enum: ['template'] } },
          user_id: { type: 'integer' },
        },
        required: ['user_id'],
      },
    });
  });
});

describe('a change of a contract', () => {
  it.each([
    ['an operation is removed', {}, ['operation removed']],
    ['an operation is added', { byIds, other: byIds }, []],
    ['a query becomes a mutation', { byIds: internal({ ...draft, kind: 'mutation' }) }, ['kind changed']],
    ['it is for users', { byIds: internal({ ...draft, for: 'user' }) }, ['callers changed']],
    ['a caller is removed', { byIds: internal({ ...draft, callers: ['operator'] }) }, ['callers changed']],
    [
      'a caller is added',
      { byIds: internal({ ...draft, callers: ['scheduling', 'operator', 'leads-routing'] }) },
      [],
    ],
    ['it is for anyone', { byIds: internal({ ...draft, for: 'anyone' }) }, []],
    [
      'the input is narrowed',
      { byIds: internal({ ...draft, input: z.object({ ids: z.array(integer).max(10) }) }) },
      ['request field ids maxItems narrowed'],
    ],
    [
      'the input has a new required field',
      { byIds: internal({ ...draft, input: draft.input.extend({ user_id: integer }) }) },
      ['request field user_id added as required'],
    ],
    [
      'the output loses a field',
      { byIds: internal({ ...draft, output: z.array(View.omit({ name: true })) }) },
      ['response[].name removed'],
    ],
    [
      'a field of the output may be null',
      { byIds: internal({ ...draft, output: z.array(View.extend({ name: text(45).nullable() })) }) },
      ['response[].name nullable'],
    ],
    [
      'a refusal is another',
      { byIds: internal({ ...draft, refuses: [conflict] }) },
      ['refusal NotFound removed'],
    ],
    ['it gets a path', { byIds: published }, []],
  ])('%s', (_name, now, expected) => {
    expect(idsOf(now)).toEqual(expected.map((what) => `contract shop things.byIds: ${what}`));
  });

  it('is left to the public document where that describes it', () => {
    expect(idsOf({}, { find: published })).toEqual([]);
  });

  it('of the filters of a list is a change of its request', () => {
    const search = internal({ ...draft, input: find(View) });
    const narrower = internal({ ...draft, input: find(View.omit({ name: true })) });
    expect(idsOf({ search: narrower }, { search })).toEqual([
      'contract shop things.search: request field name removed',
    ]);
  });
});
