import { readColumns, readMapping } from '@crm/contacts-csv';
import { describe, expect, it } from 'vitest';
import { contactsFormat } from '../../src/contacts-format.ts';

const columnsOf = (headers: readonly string[], map = '') =>
  readColumns(headers, readMapping(map, contactsFormat), contactsFormat);

const fieldsOf = (headers: readonly string[], map?: string) =>
  Object.fromEntries(columnsOf(headers, map).used.map(({ header, field }) => [header, field]));

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

  it.each([...contactsFormat.cellFields])('%s is itself', (field) => {
    expect(fieldsOf([field])).toEqual({ [field]: field });
  });

  it.each(['id', 'owner_user_id', 'assigned_user_id', 'hotness_id', 'source_id', 'type', '__proto__'])(
    '%s is ignored and reported',
    (header) => {
      expect(columnsOf(['email', header])).toMatchObject({ unused: [{ header }] });
    },
  );
});

describe('columns', () => {
  it('are mapped by the operator before their own names count', () => {
    const headers = ['Company', 'Firm', 'E-mail', 'Pet', 'Lot'];
    const map = 'firm=company, E-mail=, Pet=custom, lot=custom(Number):Lot size';
    const columns = columnsOf(headers, map);
    expect(columns).toMatchObject({
      used: [
        { index: 1, field: 'company' },
        { index: 3, field: 'custom', custom: { name: 'Pet', dataType: 'Text' } },
        { index: 4, field: 'custom', custom: { name: 'Lot size', dataType: 'Number' } },
      ],
      unused: [
        { header: 'Company', isLeftOut: false },
        { header: 'E-mail', isLeftOut: true },
      ],
    });
  });

  it('for the same field are used once: the exact name, else the first', () => {
    expect(columnsOf(['Surname', 'Last Name', 'Family name'])).toMatchObject({
      used: [{ index: 1, header: 'Last Name' }],
      unused: [{ header: 'Surname' }, { header: 'Family name' }],
    });
    expect(columnsOf(['Surname', 'Family name'])).toMatchObject({
      used: [{ index: 0 }],
      unused: [{ header: 'Family name' }],
    });
  });

  it('with phones of no certain kind are all used, a mobile one first', () => {
    const { used } = columnsOf(['Phone', 'Cell', 'Phone 2', 'Phone 2 - Type']);
    expect(used).toMatchObject([
      { index: 0, field: 'phone' },
      { index: 1, field: 'mobile_phone' },
      { index: 2, field: 'phone', label: 3 },
    ]);
  });

  it.each([
    ['no known header', ['Nothing', 'Known'], '', 'NoHeader', 'No header matches a field'],
    ['a separator', ['sep=', ''], '', 'SeparatorLine', 'The first line is "sep="'],
    ['a separator in quotes', ['SEP=,'], '', 'SeparatorLine', 'The first line is "sep="'],
    ['too many', Array.from({ length: 1001 }, () => 'email'), '', 'NoHeader', 'more than 1000 columns'],
    ['a mapping of a missing column', ['email'], 'Cell=mobile_phone', 'NoHeader', 'no column cell'],
    ['a mapping to an unknown field', ['email'], 'email=emial', 'InvalidMapping', 'Did you mean "email"?'],
    ['a mapping without a field', ['email'], 'email', 'InvalidMapping', 'Header=field'],
    ['a mapping of the others to a field', ['email'], '*=email', 'InvalidMapping', '*=custom'],
    ['a mapping to a read-only field', ['email'], 'email=id', 'InvalidMapping', 'unknown field "id"'],
  ])('with %s are rejected', (_, headers, map, reason, message) => {
    expect(() => fieldsOf(headers, map)).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(message) }),
    );
  });
});
