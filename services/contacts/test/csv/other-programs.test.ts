import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { accountsUnderTest } from './accounts.ts';

const accounts = await accountsUnderTest();
afterAll(accounts.close);
const mate = accounts.agent('mate@office.example', 'Agent', 'Mate');

/** A file that a program has exported, with invented people. */
const exportOf = (program: string): string =>
  readFileSync(new URL(`fixtures/${program}.csv`, import.meta.url), 'utf8');

async function importOf(program: string, map?: string) {
  const user = accounts.teammateOf(mate);
  await accounts.as(user).hotnesses.create({ name: 'Warm' });
  const path = accounts.file(`${program}.csv`, exportOf(program));
  const summary = await accounts.import(user, path, map === undefined ? {} : { map });
  return { user, path, summary, contacts: await accounts.contactsOf(user) };
}

describe('a file of', () => {
  it.each([
    [
      'outlook',
      {
        first_name: 'Bea',
        last_name: 'Lind',
        email: 'bea@lind.example',
        mobile_phone: '604 555 4583',
        home_phone: '604 555 4582',
        office_phone: '604 555 4581',
        fax: '604 555 4580',
        birthday: '1980-05-31',
        anniversary: null,
        spouse_name: 'Olaf Lind',
        tags: 'Past client, Investor',
        addresses: [
          { type: 'Home', street_address_1: 'Hill St 9', city: 'Langley', state: 'BC', zip: 'V2Y 0A1' },
          { type: 'Main Office', street_address_1: 'Dock Rd 4', street_address_2: 'Suite 2', city: 'Surrey' },
        ],
      },
      `Title, Middle Name, Suffix, Department, Job Title, Business Street 3, Business Country/Region, Home Street 3, Home Country/Region, Assistant's Phone, Pager, E-mail Type, E-mail Display Name, E-mail 2 Address, Notes, Web Page`,
    ],
    [
      'google',
      {
        first_name: 'Cy',
        last_name: 'Ortega',
        company: 'Ortega Homes',
        email: 'cy@ortega.example',
        mobile_phone: '+1 604 555 4591',
        home_phone: '+1 604 555 4592',
        office_phone: '(604) 555-4590',
        birthday: '--05-31',
        tags: 'Sellers, Open house',
        addresses: [{ type: 'Home', street_address_1: 'Pine St 3', street_address_2: 'Unit 5', state: 'BC' }],
      },
      'Middle Name, Phonetic First Name, Phonetic Middle Name, Phonetic Last Name, Name Prefix, Name Suffix, Nickname, File As, Organization Title, Organization Department, Notes, Photo, E-mail 1 - Label, E-mail 2 - Label, E-mail 2 - Value, Address 1 - Formatted, Address 1 - PO Box, Address 1 - Country, Website 1 - Label, Website 1 - Value',
    ],
    [
      'liondesk',
      {
        first_name: 'Dee',
        mobile_phone: '6045554600',
        spouse_name: 'Lou Park',
        spouse_birthday: '1970-01-02',
        tags: 'Buyer, VIP',
        hotness: { name: 'Warm' },
        source: { name: 'Zillow' },
        created_at: '2019-04-05T16:20:00.000Z',
        addresses: [{ type: 'Second Home', street_address_1: 'Lake Rd 7', state: 'Missouri', zip: '64031' }],
      },
      '',
    ],
    [
      'follow-up-boss',
      {
        last_name: 'Stone',
        email: 'eli@stone.example',
        mobile_phone: '(604) 555-4610',
        office_phone: '(604) 555-4611',
        source: { name: 'Realtor.com' },
        tags: 'Buyer,Relocating',
        created_at: '2021-03-04T09:30:00.000Z',
        addresses: [
          { type: 'Home', street_address_1: 'Elm St 1', city: 'Richmond', zip: 'V6X 1A1' },
          { type: 'Second Home', street_address_1: 'Beach Rd 2', city: 'Tofino' },
        ],
      },
      'ID, Stage, Is Contacted, Listing Price, Email 1 - Type, Email 2, Address 1 - Country, Background',
    ],
    [
      'kvcore',
      {
        last_name: 'Moss',
        mobile_phone: '604-555-4620',
        home_phone: '604-555-4621',
        birthday: '1968-03-14',
        anniversary: '2020-07-01',
        source: { name: 'Facebook' },
        tags: '#relocation, #firsttime',
        created_at: '2022-01-02T15:15:00.000Z',
        addresses: [{ street_address_1: 'Oak Ave 5', city: 'Surrey', zip: 'V3S 0A1' }],
      },
      'Lead Type, Status, Spouse First Name, Avg Price',
    ],
    [
      'boomtown',
      {
        last_name: 'Reed',
        mobile_phone: '604.555.4631',
        home_phone: '604.555.4630',
        source: { name: 'Google PPC' },
        tags: 'investor, cash',
        created_at: '2023-06-07T00:00:00.000Z',
        addresses: [{ city: 'Burnaby', state: 'BC', zip: 'V5H 0A1' }],
      },
      'Category, Last Visit, Visits',
    ],
  ])('%s is recognized, and what has no field is named', async (program, expected, ignored) => {
    const { summary, contacts } = await importOf(program);
    expect({ errors: summary.errors, ignored: summary.ignored_columns.join(', ') }).toEqual({
      errors: [],
      ignored,
    });
    expect(contacts).toMatchObject([expected]);
    const isAssigned = exportOf(program).includes('ate@office') || exportOf(program).includes('Agent Mate');
    expect(contacts[0]?.assigned_user_id).toBe(isAssigned ? mate.id : null);
  });

  it('google with several values in a cell loses none unnamed', async () => {
    const user = accounts.teammateOf(mate);
    const cells = (phones: string) =>
      `Anna,a@x.example ::: b@x.example,${phones},604 555 4574 ::: 604 555 4575`;
    const rows = [
      'First Name,E-mail 1 - Value,Phone 1 - Value,Fax',
      cells('604 555 4570 ::: 604 555 4571 ::: 604-555-4570 ::: 604 555 4572 ::: 604 555 4573'),
      cells('604 555 4570 ::: ask her'),
    ].join('\n');
    const path = accounts.file('several.csv', rows);
    expect(await accounts.import(user, path)).toMatchObject({ created: 1, failed: 1, warned: 1 });
    expect(await accounts.contactsOf(user)).toMatchObject([
      {
        email: 'a@x.example',
        mobile_phone: '604 555 4570',
        home_phone: '604 555 4571',
        office_phone: '604 555 4572',
        fax: '604 555 4574',
      },
    ]);
    const [, warned = ''] = accounts.read('several.csv.warnings.csv').split('\n');
    for (const value of ['b@x.example', '604 555 4573', '604 555 4575'])
      expect(warned).toContain(`""${value}"" is left out`);
    expect(accounts.read('several.csv.errors.csv')).toContain('Phone 1 - Value: must be a phone number');
  });
});
