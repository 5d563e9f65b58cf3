import { describe, expect, it } from 'vitest';
import { cellFields } from '../fields.ts';
import { readColumns, readMapping } from './columns.ts';

const fieldsOf = (headers: readonly string[], map?: string) =>
  Object.fromEntries(readColumns(headers, readMapping(map)).used.map(({ header, field }) => [header, field]));

describe('a header', () => {
  it.each([
    ['First Name', 'first_name'],
    ['first-name', 'first_name'],
    ['FIRST_NAME', 'first_name'],
    ['firstName', 'first_name'],
    ['Surname', 'last_name'],
    ['E-mail', 'email'],
    ['Email Address', 'email'],
    ['Phone', 'mobile_phone'],
    ['Mobile', 'mobile_phone'],
    ['Cell', 'mobile_phone'],
    ['Home Phone', 'home_phone'],
    ['Work phone', 'office_phone'],
    ['Street', 'street_address_1'],
    ['Zip', 'zip'],
    ['Postal Code', 'zip'],
    ['City', 'city'],
    ['Province', 'state'],
    ['Address type', 'address_type'],
    ['Hotness', 'hotness'],
    ['Lead source', 'source'],
    ['Tags', 'tags'],
    ['Created at', 'created_at'],
  ])('%j is %s', (header, field) => {
    expect(fieldsOf([header])).toEqual({ [header]: field });
  });

  it.each([...cellFields])('%s is itself', (field) => {
    expect(fieldsOf([field])).toEqual({ [field]: field });
  });

  it.each(['id', 'owner_user_id', 'assigned_user_id', 'hotness_id', 'source_id', 'type', '__proto__'])(
    '%s is ignored and reported',
    (header) => {
      expect(readColumns(['email', header], new Map())).toMatchObject({ ignored: [header] });
    },
  );
});

describe('columns', () => {
  it('are mapped by the operator before their own names count', () => {
    expect(fieldsOf(['Phone', 'Cell #', 'E-mail'], 'cell #=mobile_phone, E-mail=')).toEqual({
      'Cell #': 'mobile_phone',
    });
  });

  it('for the same field are used once: the exact name, else the first', () => {
    expect(readColumns(['Phone', 'Mobile Phone', 'Cell'], new Map())).toMatchObject({
      used: [{ index: 1, header: 'Mobile Phone' }],
      ignored: ['Phone', 'Cell'],
    });
    expect(readColumns(['Phone', 'Cell'], new Map())).toMatchObject({
      used: [{ index: 0 }],
      ignored: ['Cell'],
    });
  });

  it.each([
    ['no known header', ['Nothing', 'Known'], '', 'NoHeader', 'No header matches a field'],
    ['too many', Array.from({ length: 201 }, () => 'email'), '', 'NoHeader', 'more than 200 columns'],
    ['a mapping of a missing column', ['email'], 'Cell=mobile_phone', 'NoHeader', 'no column cell'],
    ['a mapping to an unknown field', ['email'], 'email=emial', 'InvalidMapping', 'Did you mean "email"?'],
    ['a mapping without a field', ['email'], 'email', 'InvalidMapping', 'Header=field'],
    ['a mapping to a read-only field', ['email'], 'email=id', 'InvalidMapping', 'unknown field "id"'],
  ])('with %s are rejected', (_, headers, map, reason, message) => {
    expect(() => fieldsOf(headers, map)).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(message) }),
    );
  });
});
