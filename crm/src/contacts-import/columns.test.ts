import { describe, expect, it } from 'vitest';
import { readColumns, readMapping } from './columns.ts';
import { cellFields } from './fields.ts';

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
    '%s is ignored, and said to be',
    (header) => {
      expect(readColumns(['email', header], new Map())).toMatchObject({ ignored: [header] });
    },
  );
});

describe('columns', () => {
  it('are named by the operator before they are by themselves', () => {
    expect(fieldsOf(['Phone', 'Cell #', 'E-mail'], 'cell #=mobile_phone, E-mail=')).toEqual({
      'Cell #': 'mobile_phone',
    });
  });

  it('that are one field twice are taken once: the exact name, else the first', () => {
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
    ['no header that is known', ['Nothing', 'Known'], '', 'NoHeader', 'No header is a field'],
    ['too many', Array.from({ length: 201 }, () => 'email'), '', 'NoHeader', 'more than 200 columns'],
    ['a header in --map that is not there', ['email'], 'Cell=mobile_phone', 'NoHeader', 'no column cell'],
    ['an unknown field in --map', ['email'], 'email=emial', 'Usage', 'Did you mean "email"?'],
    ['no field in --map', ['email'], 'email', 'Usage', 'Header=field'],
    ['a field in --map that cannot be written', ['email'], 'email=id', 'Usage', 'Unknown field "id"'],
  ])('with %s fail', (_, headers, map, reason, message) => {
    expect(() => fieldsOf(headers, map)).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(message) }),
    );
  });
});
