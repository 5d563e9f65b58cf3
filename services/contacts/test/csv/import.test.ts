import { existsSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { accountsUnderTest } from './accounts.ts';

const accounts = await accountsUnderTest();
afterAll(accounts.close);
const mate = accounts.agent('mate@office.example', 'Agent', 'Mate');

/** A realistic file: with a byte order mark, semicolons and numbers that a spreadsheet has spoiled. */
const excel = readFileSync(new URL('fixtures/excel.csv', import.meta.url), 'utf8');

describe('a file from a spreadsheet', () => {
  it('gives its valid rows, and the others with what is wrong in a file that can be repaired and imported', async () => {
    const user = accounts.teammateOf(mate);
    const summary = await accounts.import(user, accounts.file('people.csv', excel));
    expect(summary).toMatchObject({
      rows: 4,
      created: 2,
      failed: 2,
      warned: 2,
      ignored_columns: ['Stage', 'Notes'],
    });
    expect(await accounts.contactsOf(user)).toMatchObject([
      {
        first_name: 'Anna',
        last_name: 'Ng',
        email: 'ANNA@EX.EXAMPLE',
        birthday: '1955-10-28',
        tags: 'Hot, VIP',
        assigned_user_id: mate.id,
        addresses: [{ street_address_1: 'Main St 1', zip: '64030', city: 'Burnaby', state: 'BC' }],
      },
      { first_name: 'Ludwig', last_name: 'van Beethoven', tags: 'Buyer, Seller' },
    ]);
    const errors = accounts.read('people.csv.errors.csv');
    const [header, phone, mail] = errors.split('\n');
    expect(header).toBe(`${excel.split('\r')[0]};line;reason`);
    expect(phone).toMatch(
      /^Broken Phone;broken@ex.example;5,03556E\+09;29221;;;;;;;;;5;"?Cell: .*text.*; Birthday: .*1980-01-01/,
    );
    expect(mail).toMatch(/^No Mail;not-an-email;.*;6;"?E-mail: .*; Assigned To: "*Nobody Known/);
    expect(accounts.read('people.csv.warnings.csv')).toContain('1955-10-28, day first');
    const repaired = errors
      .replace('5,03556E+09;29221', '(503) 555-6000;1980-01-01')
      .replace('not-an-email', 'mail@ex.example')
      .replace(';Nobody Known;', ';Agent Mate;');
    const again = await accounts.import(user, accounts.file('repaired.csv', repaired));
    expect(again).toMatchObject({
      created: 2,
      failed: 0,
      ignored_columns: ['Stage', 'Notes'],
      errors_file: null,
    });
    expect(existsSync(accounts.file('none', '').replace('none', 'repaired.csv.errors.csv'))).toBe(false);
  });

  it('loses no cell without a header, and is refused until such a row is corrected', async () => {
    const user = accounts.agent();
    const [row, broken] = ['Ada,Main St 1,Reno,NV', 'Ben,Main St 2, Apt 4,Reno,NV'];
    let text = ['First Name,Street,City,State', row, broken].join('\n');
    for (const created of [1, 0]) {
      expect(await accounts.import(user, accounts.file('surplus.csv', text))).toMatchObject({
        created,
        failed: 1,
      });
      text = accounts.read('surplus.csv.errors.csv');
      expect(text.split('\n')[1]).toMatch(/^Ben,Main St 2,Apt 4,Reno,\d,.*,NV$/);
    }
  });

  it('fills custom fields that have the names of columns, and creates others if it may', async () => {
    const user = accounts.teammateOf(mate);
    const stage = await accounts.as(user).customFields.create({ name: 'stage', data_type: 'Text' });
    const path = accounts.file('stages.csv', excel);
    expect(await accounts.import(user, path)).toMatchObject({ created: 2, ignored_columns: ['Notes'] });
    const [anna] = await accounts.contactsOf(user);
    expect(anna?.custom_fields).toMatchObject([{ id: stage.id, value: 'Active' }]);
    const other = accounts.teammateOf(mate);
    await expect(accounts.import(other, path, { map: '*=custom' })).rejects.toMatchObject({
      reason: 'NoCustomField',
      message: expect.stringContaining('"Stage", "Notes"'),
    });
    const all = { map: 'Stage=,*=custom', createMissing: true };
    expect(await accounts.import(other, path, { ...all, dryRun: true })).toMatchObject({ created: 2 });
    expect(await accounts.as(other).customFields.find({})).toMatchObject({ total: 0 });
    expect(await accounts.import(other, path, all)).toMatchObject({ created: 2, ignored_columns: ['Stage'] });
    const [same] = await accounts.contactsOf(other);
    expect(same?.custom_fields).toMatchObject([{ name: 'Notes', value: 'met at\nthe fair' }]);
  });

  it('creates a hotness that does not exist only if it may', async () => {
    const user = accounts.agent();
    const path = accounts.file('hot.csv', 'First Name,Stage\nAnna,Hot\nBen,hot\n');
    const map = 'Stage=hotness';
    expect(await accounts.import(user, path, { map })).toMatchObject({ created: 0, failed: 2 });
    expect(await accounts.import(user, path, { map, createMissing: true })).toMatchObject({ created: 2 });
    expect(await accounts.as(user).hotnesses.find({})).toMatchObject({ total: 1, data: [{ name: 'Hot' }] });
  });

  it('keeps two phones of one office, and two people with one, by their extensions', async () => {
    const user = accounts.agent();
    const header = 'First Name,Mobile Phone,Phone 1,Phone 2';
    const [x12, x13, other] = ['604 555 4572 x12', '604 555 4572 x13', '604 555 4573'];
    const rows = [
      `Anna,${x12},,`,
      `Ben,${x13},,`,
      `Cleo,,${other} x12,${other} x13`,
      `Dora,,${other},(604) 555-4573`,
    ];
    const path = accounts.file('desks.csv', [header, ...rows, ''].join('\n'));
    expect(await accounts.import(user, path, { match: 'phone' })).toMatchObject({ created: 4, failed: 0 });
    expect(await accounts.contactsOf(user)).toMatchObject([
      { first_name: 'Anna', mobile_phone: x12 },
      { first_name: 'Ben', mobile_phone: x13 },
      { first_name: 'Cleo', mobile_phone: `${other} x12`, home_phone: `${other} x13` },
      { first_name: 'Dora', mobile_phone: other, home_phone: null },
    ]);
  });

  it('is refused with dates in both orders, even if it is broken after them', async () => {
    const user = accounts.agent();
    const rows = 'First Name,Birthday\nAnna,28/10/1955\nBen,5/6/1960\n';
    for (const text of [rows, `${rows}Cy,"x"y\n`])
      await expect(accounts.import(user, accounts.file('dates.csv', text))).rejects.toMatchObject({
        reason: 'DateOrders',
        message: expect.stringMatching(/line 2 begins with the day .*line 3 .*the month/),
      });
    expect(await accounts.contactsOf(user)).toEqual([]);
    const broken = accounts.file('broken.csv', 'First Name,Birthday\nAnna,28/10/1955\nBen,"x"y\n');
    expect(await accounts.import(user, broken)).toMatchObject({ created: 1, stopped: { line: 3 } });
  });

  it('updates several addresses of a contact, and shares it', async () => {
    const user = accounts.teammateOf(mate);
    const header = 'Email,Home City,Work City,Shared with';
    await accounts.import(user, accounts.file('first.csv', `${header}\na@x.example,Burnaby,Surrey,\n`));
    const second = accounts.file('second.csv', `${header}\nA@x.example,,Delta,Agent Mate\n`);
    const update = { duplicates: 'update', map: 'Shared with=shared_with' } as const;
    expect(await accounts.import(user, second, update)).toMatchObject({ updated: 1, failed: 0 });
    expect(await accounts.as(mate).contacts.find({ email: 'a@x.example' })).toMatchObject({
      total: 1,
      data: [{ addresses: [{ city: 'Burnaby' }, { city: 'Delta' }] }],
    });
  });
});
