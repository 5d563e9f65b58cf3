import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, done, ofUser, errorsOf } = contacts;
const warningsOf = async (user: User, id: number) => (await contacts.as(user).imports.warnings({ id })).text;

const john = {
  first_name: 'John',
  last_name: 'Smith',
  email: 'smiths@x.example',
  mobile_phone: '6045554572',
};
const mary = { ...john, first_name: 'Mary', mobile_phone: '6045554573' };

/** An agent whose contacts are two people with one e-mail address. */
async function withCouple() {
  const anna = await person();
  const api = contacts.as(anna);
  return { anna, api, john: await api.contacts.create(john), mary: await api.contacts.create(mary) };
}

const peopleOf = async (user: User) =>
  (await ofUser(user)).map(({ first_name, mobile_phone, company }) => [first_name, mobile_phone, company]);

describe('a row of one of two people with one e-mail address', () => {
  it.each([{ dry_run: true }, { dry_run: false }])(
    'updates the contact that has its phone as well, so an export can be imported again: %j',
    async ({ dry_run }) => {
      const { anna, api } = await withCouple();
      const { text } = await api.exports.contacts({});
      const before = await peopleOf(anna);
      const one = await done(anna, text, { duplicates: 'update', dry_run });
      expect(one).toMatchObject({ updated: 2, failed: 0, warned: 0 });
      expect(await peopleOf(anna)).toEqual(before);
    },
  );

  it('opts out the contact that has its phone as well, and not the other one', async () => {
    const couple = await withCouple();
    const { anna, api } = couple;
    await api.consents.patch({ id: couple.mary.id, text_state: 'Opted Out' });
    const { text } = await api.exports.contacts({});
    expect(await done(anna, text)).toMatchObject({ updated: 1, skipped: 1 });
    const states = [couple.john, couple.mary].map(
      async ({ id }) => (await api.consents.get({ id })).text_state,
    );
    expect(await Promise.all(states)).toEqual(['Allowed', 'Opted Out']);
  });

  it('updates the contact with its name, if it has no phone', async () => {
    const { anna } = await withCouple();
    const text = 'Name,Email,Company\nMary Smith,smiths@x.example,Coast\nJohn,smiths@x.example,Shore';
    expect(await done(anna, text, { duplicates: 'update' })).toMatchObject({
      updated: 2,
      failed: 0,
      warned: 0,
    });
    expect(await peopleOf(anna)).toEqual([
      ['John', '6045554572', 'Shore'],
      ['Mary', '6045554573', 'Coast'],
    ]);
  });

  it.each([{ dry_run: true }, { dry_run: false }])(
    'is refused and changes nobody, if it could be about either: %j',
    async ({ dry_run }) => {
      const { anna } = await withCouple();
      const before = await peopleOf(anna);
      const text = 'Email,Company\nsmiths@x.example,Coast';
      const one = await done(anna, text, { duplicates: 'update', dry_run });
      expect(one).toMatchObject({ updated: 0, failed: 1 });
      if (!dry_run)
        expect(await errorsOf(anna, one.id)).toMatch(
          /matches several contacts, such as "+John Smith"+ and "+Mary Smith"+; give it/,
        );
      expect(await peopleOf(anna)).toEqual(before);
    },
  );

  it.each(['text/csv', 'application/x-ndjson'] as const)(
    'is refused if another person with the address has an earlier row, in a dry run as well: %s',
    async (type) => {
      const anna = await person();
      const text =
        type === 'text/csv'
          ? [john, mary].reduce((file, one) => `${file}\n${Object.values(one)}`, `${Object.keys(john)}`)
          : [john, mary].map((one) => JSON.stringify(one)).join('\n');
      for (const dry_run of [true, false]) {
        const one = await done(anna, text, { type, duplicates: 'update', dry_run });
        expect(one).toMatchObject({ created: 1, updated: 0, failed: 1 });
        expect(await errorsOf(anna, one.id)).toMatch(
          /has the e-mail address of \W*John Smith\W*, but another name and mobile phone/,
        );
      }
      expect(await peopleOf(anna)).toEqual([['John', '6045554572', null]]);
    },
  );

  it.each([
    ['email', { ...mary, birthday: '1955-05-05' }],
    ['phone', { ...john, first_name: 'Mary', email: 'mary@x.example', birthday: '1955-05-05' }],
  ] as const)('is refused also if the file is matched only by %s', async (match, row) => {
    const anna = await person();
    await contacts.as(anna).contacts.create({ ...john, birthday: '1950-01-01' });
    const text = `${Object.keys(row)}\n${Object.values(row)}`;
    for (const dry_run of [true, false])
      expect(await done(anna, text, { duplicates: 'update', match, dry_run })).toMatchObject({
        updated: 0,
        failed: 1,
      });
    expect(await ofUser(anna)).toMatchObject([{ ...john, birthday: '1950-01-01' }]);
  });

  it.each([
    ['added', false, 0],
    ['added, hundreds of rows before', false, 250],
    ['updated', true, 0],
    ['updated, hundreds of rows before', true, 250],
  ])('is refused if the file has named the other one, whom it has %s', async (_what, exists, count) => {
    const anna = await person();
    if (exists)
      await contacts.as(anna).contacts.create({ first_name: 'Jon', last_name: 'Smith', email: john.email });
    const others = Array.from({ length: count }, (_, n) => `Other,${n},other${n}@x.example,`);
    const rows = [
      'John,Smith,smiths@x.example,1950-01-01',
      ...others,
      'Mary,Smith,smiths@x.example,1955-05-05',
    ];
    const text = ['First Name,Last Name,Email,Birthday', ...rows].join('\n');
    for (const dry_run of [true, false]) {
      const one = await done(anna, text, { duplicates: 'update', dry_run });
      expect(one).toMatchObject({ created: count + (exists ? 0 : 1), updated: exists ? 1 : 0, failed: 1 });
      expect(await errorsOf(anna, one.id)).toMatch(
        /matches "+John Smith"+, to whom an earlier row of the file belongs/,
      );
    }
    expect((await ofUser(anna))[0]).toMatchObject({ first_name: 'John', birthday: '1950-01-01' });
  });

  it('is known by name to the next thousand rows of a dry run', async () => {
    const anna = await person();
    const others = Array.from({ length: 1_000 }, (_, n) => `Other ${n},,other${n}@x.example,`);
    const text = [
      'First Name,Last Name,Email,Cell',
      Object.values(john),
      ...others,
      Object.values(mary),
    ].join('\n');
    const one = await done(anna, text, { duplicates: 'update', dry_run: true });
    expect(one).toMatchObject({ created: 1_001, failed: 1 });
  });

  it('may change the name of the contact that it matches, with a warning', async () => {
    const anna = await person();
    await contacts.as(anna).contacts.create(john);
    const text = 'First Name,Email,Cell\nJonathan,smiths@x.example,6045554572';
    const one = await done(anna, text, { duplicates: 'update' });
    expect(one).toMatchObject({ updated: 1, warned: 1 });
    expect(await warningsOf(anna, one.id)).toMatch(
      /has replaced the name of the contact, which was "+John Smith"+/,
    );
    expect(await peopleOf(anna)).toEqual([['Jonathan', '6045554572', null]]);
  });

  it.each(['text/csv', 'application/x-ndjson'] as const)(
    'is listed with the contact because of which it adds none: %s',
    async (type) => {
      const anna = await person();
      const sent = [john, mary, { ...john, first_name: ' john ' }, { email: john.email }];
      const lineOf = ({ first_name = '', email = '' }: Partial<typeof john>) => `${first_name},${email}`;
      const text =
        type === 'text/csv'
          ? ['First Name,Email', ...sent.map(lineOf)].join('\n')
          : sent.map((one) => JSON.stringify(one)).join('\n');
      for (const dry_run of [true, false]) {
        const one = await done(anna, text, { type, dry_run });
        expect(one).toMatchObject({ created: 1, skipped: 3, failed: 0, warned: 1 });
        expect(await warningsOf(anna, one.id)).toMatch(
          /Mary.*matches the contact \W*John.* and adds none; to add another contact, send only this row/,
        );
      }
    },
  );
});

describe('a trial of an update', () => {
  const others = Array.from({ length: 250 }, (_, n) => `Other ${n},,other${n}@x.example,`);
  const file = (first: string, last: string) =>
    ['First Name,Last Name,Email,Cell', first, ...others, last].join('\n');
  const jon = { ...john, first_name: 'Jon' };

  it.each([
    [
      'renamed',
      file('John,Smith,smiths@x.example,6045554572', 'John,Smith,smiths@x.example,6045554579'),
      250,
      2,
    ],
    [
      'given another address',
      file('Jon,Smith,new@x.example,6045554572', 'Jon,Smith,smiths@x.example,'),
      251,
      1,
    ],
  ])('knows hundreds of rows later what it has %s', async (_what, text, created, updated) => {
    const anna = await person();
    await contacts.as(anna).contacts.create(jon);
    for (const dry_run of [true, false])
      expect(await done(anna, text, { duplicates: 'update', dry_run })).toMatchObject({
        created,
        updated,
        failed: 0,
      });
  });
});
