import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { placeForContacts } from '../test/contacts-place.ts';
import { countEvents, eventsAbout } from '../test/events-about.ts';
import { until } from '../test/until.ts';

let place: Awaited<ReturnType<typeof placeForContacts>>;
beforeAll(async () => {
  place = await placeForContacts();
  // The first event makes the stream in which they are counted.
  await place.import(place.file('one.csv', nameless(1)), await place.newUser());
  await until(async () => expect(await eventsOfContacts()).toBeGreaterThan(0));
}, 60_000);
afterAll(() => place.leave(), 60_000);

const eventsOfContacts = () => countEvents(place.folder, 'contacts');
const eventsOfToken = async (id: number) =>
  (await eventsAbout(place.folder, 'identity', `access-token/${id}`)).map(({ type }) => type);

/** Rows that equal no contact, so that only the keys of requests tell them apart. */
const nameless = (count: number) =>
  `first_name\n${Array.from({ length: count }, (_, index) => `Person ${index}\n`).join('')}`;

const mixed = [
  'First Name,E-mail,Cell,Company,Source,Hotness,Notes',
  'Anna,anna@example.com,604 555 4572,,Fair,,x',
  'Ann,ANNA@example.com,,Ng Ltd,,,x',
  'Ben,,+16045554572,,,,x',
  'Cleo,,,,fair,Nosuch,x',
  `Dan,${'d'.repeat(256)},,,,,x`,
  'Eve,,,,,,x',
  'Fay,fay@example.com,604 555 4573,,fair,,x',
  'Gus,gus@example.com,604 555 4573,,,,x',
  'Hal,fay@example.com,604 555 4574,,,,x',
  'Ian,,604 555 4573,,,,x',
].join('\n');

describe('a dry run', () => {
  it.each([
    ['skip', { created: 3, updated: 0, skipped: 5, failed: 2 }],
    ['update', { created: 4, updated: 4, skipped: 0, failed: 2 }],
  ] as const)(
    'with --duplicates %s writes nothing and counts what the real one does',
    async (duplicates, counts) => {
      const user = await place.newUser();
      const file = place.file('mixed.csv', mixed);
      await sleep(500); // The sources of a new account are on their way.
      const before = await eventsOfContacts();
      const dry = await place.import(file, user, { dryRun: true, duplicates });
      await sleep(500);
      expect(await eventsOfContacts()).toBe(before);
      expect(await place.totalOf(user)).toBe(0);
      const real = await place.import(file, user, { duplicates });
      expect(dry).toMatchObject({ dry_run: true, rows: 10, ...counts, ignored_columns: ['Notes'] });
      expect({ ...real, dry_run: true }).toEqual(dry);
      expect(await place.totalOf(user)).toBe(counts.created);
    },
  );
});

describe('an import', () => {
  it('writes what was wrong beside the file, changes nothing by such rows, and says so', async () => {
    const user = await place.newUser();
    place.file('mixed.csv', mixed);
    const { code, stdout } = await place.crm(
      'contacts',
      'import',
      `${place.folder}/mixed.csv`,
      '--user',
      user,
      '--json',
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      failed: 2,
      errors: [{ line: 5, column: 'Hotness' }, { line: 6 }],
    });
    expect(place.read('mixed.csv.errors.csv').split('\n')).toEqual([
      'line,column,reason',
      '5,Hotness,names a hotness that is not there',
      '6,E-mail,must have at most 255 characters',
      '',
    ]);
    const names = (await place.contactsOf(user)).map(({ first_name, source }) => [first_name, source?.name]);
    expect(names.sort()).toEqual([
      ['Anna', 'Fair'],
      ['Eve', undefined],
      ['Fay', 'Fair'],
    ]);
    const good = await place.import(place.file('mixed.csv', 'E-mail\nnew@example.com\n'), user);
    expect(good).toMatchObject({ created: 1, failed: 0, errors_file: null });
    expect(existsSync(`${place.folder}/mixed.csv.errors.csv`)).toBe(false);
  });

  it('updates a contact by the cells that say something, and its first address', async () => {
    const user = await place.newUser();
    const first = 'Email,First Name,Company,Street,City\nanna@example.com,Anna,Ng Ltd,Main St 1,Burnaby\n';
    await place.import(place.file('first.csv', first), user);
    const second = 'Email,First Name,Company,Street,City\nAnna@Example.com,Ann,,Side St 2,\n';
    const update = { duplicates: 'update' } as const;
    const file = place.file('second.csv', second);
    expect(await place.import(file, user, update)).toMatchObject({ updated: 1, created: 0 });
    expect(await place.import(file, user, update)).toMatchObject({ updated: 1, created: 0 });
    expect(await place.contactsOf(user)).toMatchObject([
      {
        first_name: 'Ann',
        company: 'Ng Ltd',
        addresses: [{ street_address_1: 'Side St 2', city: 'Burnaby' }],
      },
    ]);
    expect((await place.contactsOf(user))[0]?.addresses).toHaveLength(1);
  });

  it('compares with the contacts of its user only, by what was asked for', async () => {
    const [user, other] = [await place.newUser(), await place.newUser()];
    const file = place.file('one.csv', 'email,phone\nanna@example.com,604 555 4572\n');
    expect(await place.import(file, other)).toMatchObject({ created: 1 });
    expect(await place.import(file, user)).toMatchObject({ created: 1 });
    const near = place.file('near.csv', 'email,phone\nother@example.com,(604) 555-4572\n');
    expect(await place.import(near, user, { dryRun: true })).toMatchObject({ skipped: 1 });
    expect(await place.import(near, user, { match: 'email' })).toMatchObject({ created: 1 });
  });

  it('that was killed adds nothing twice when it is run again', async () => {
    const user = await place.newUser();
    const file = place.file('many.csv', nameless(400));
    const import1 = place.begin('contacts', 'import', file, '--user', user);
    await place.untilMoreThan(20, user);
    await import1.end('SIGKILL');
    const before = await place.totalOf(user);
    expect(before).toBeLessThan(400);
    const again = await place.import(file, user);
    expect(again).toMatchObject({ rows: 400, failed: 0, created: 400 - again.skipped });
    expect(again.skipped).toBeGreaterThanOrEqual(before);
    expect(await place.totalOf(user)).toBe(400);
  });

  it('does not disturb another one of the same file', async () => {
    const users = [await place.newUser(), await place.newUser()];
    const good = place.file('shared.csv', nameless(5));
    const both = await Promise.all(users.map((user) => place.import(good, user)));
    expect(both).toMatchObject([{ created: 5 }, { created: 5 }]);
    const bad = place.file('shared.csv', mixed);
    await Promise.all(users.map((user) => place.import(bad, user)));
    expect(place.read('shared.csv.errors.csv').split('\n')).toHaveLength(4);
  });

  it('adds again what was removed since it was imported', async () => {
    const user = await place.newUser();
    const file = place.file('two.csv', nameless(2));
    await place.import(file, user);
    await place.as(user, async ({ contacts }) => {
      const { data } = await contacts.contacts.find({});
      await contacts.contacts.remove({ id: data[0]?.id ?? 0 });
    });
    expect(await place.import(file, user)).toMatchObject({ created: 1, skipped: 1 });
    expect(await place.totalOf(user)).toBe(2);
  });

  it('that is called off tells what it has done, and its token works no more', async () => {
    const user = await place.newUser();
    const file = place.file('off.csv', nameless(2000));
    const tokenBefore = await place.newToken(user);
    const running = place.begin('contacts', 'import', file, '--user', user, '--json');
    await place.untilMoreThan(20, user);
    const { code, stdout } = await running.end('SIGINT');
    const { created, stopped } = JSON.parse(stdout);
    expect({ code, total: await place.totalOf(user) }).toEqual({ code: 1, total: created });
    expect(created).toBeLessThan(2000);
    expect(stopped.reason).toContain('called off');
    const count = (await place.newToken(user)) - tokenBefore - 1;
    expect(count).toBeGreaterThan(0);
    for (const id of Array.from({ length: count }, (_, index) => tokenBefore + 1 + index)) {
      await until(async () => expect(await eventsOfToken(id)).toEqual([expect.stringContaining('revoked')]));
    }
  });

  it('of a broken file does the rows before, and says where it broke', async () => {
    const user = await place.newUser();
    const file = place.file('broken.csv', `${nameless(300)}"Bro"ken\nAfter\n`);
    const { code, stdout } = await place.crm('contacts', 'import', file, '--user', user);
    expect({ code, total: await place.totalOf(user) }).toEqual({ code: 1, total: 300 });
    expect(stdout).toContain('Of 300 rows: 300 created');
    expect(stdout).toContain('on line 302');
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeffemail\nx@example.com\n', 'utf16le'), 'WrongEncoding'],
    ['no known header', 'Nothing\nx@example.com\n', 'NoHeader'],
    ['nothing in it', '', 'NoHeader'],
  ])('of a file with %s fails before anything', async (_, content, reason) => {
    const user = await place.newUser();
    await expect(place.import(place.file('bad.csv', content), user)).rejects.toMatchObject({ reason });
    expect(existsSync(`${place.folder}/bad.csv.errors.csv`)).toBe(false);
  });

  it.each([
    [['import', 'x.csv']],
    [['import', 'x.csv', '--user', '1', '--duplicates', 'nosuch']],
    [['import', 'x.csv', '--user', '1', '--map', 'A=nosuch']],
    [['export', '--json']],
  ])('asked for by %j exits with 2', async (words) => {
    expect(await place.crm('contacts', ...words)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('an export', () => {
  it('imported by another user gives the same contacts', async () => {
    const [user, other] = [await place.newUser(), await place.newUser()];
    for (const one of [user, other]) {
      await place.as(one, ({ contacts }) => contacts.hotnesses.create({ name: 'Hot, "very"' }));
    }
    await place.as(user, async ({ contacts }) => {
      const hotness = (await contacts.hotnesses.find({ name: 'Hot, "very"' })).data[0];
      const source = await contacts.contactSources.create({ name: '=Fair' });
      await contacts.contacts.create({
        first_name: '=cmd|"/c calc"!A1',
        last_name: "'=kept",
        mobile_phone: '+1 604 555 4572',
        email: '@home@example.com',
        company: ' ;two\r\nlines ',
        birthday: '1955-10-28',
        tags: 'Buyer, -Seller',
        hotness_id: hotness?.id ?? null,
        source_id: source.id,
        created_at: '2017-07-08T11:11:11.000Z',
        addresses: [{ type: 'Home', zip: '-1', city: 'Zürich' }],
      });
      await contacts.contacts.create({ first_name: 'Ben' });
    });
    const output = `${place.folder}/export.csv`;
    const exported = await place.crm('contacts', 'export', '--user', user, '--output', output, '--json');
    expect(exported).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `${JSON.stringify({ rows: 2, output })}\n`,
    });
    expect(await place.import(output, other)).toMatchObject({ created: 2, failed: 0 });
    expect((await place.contactsOf(other)).map(comparable).sort(byName)).toEqual(
      (await place.contactsOf(user)).map(comparable).sort(byName),
    );
    const { stdout } = await place.crm('contacts', 'export', '--user', user);
    expect(stdout).toBe(place.read('export.csv'));
  });

  it('of everyone leaves out whose account is disabled, because nobody can act for it', async () => {
    const [user, ended] = [await place.newUser(), await place.newUser()];
    for (const one of [user, ended]) {
      await place.as(one, ({ contacts }) => contacts.contacts.create({ first_name: `Of ${one}` }));
    }
    expect((await place.crm('contacts', 'export')).stdout).toContain(`Of ${ended}`);
    expect(await place.crm('users', 'disable', ended)).toMatchObject({ code: 0 });
    const { code, stdout } = await place.crm('contacts', 'export');
    expect({ code, kept: stdout.includes(`Of ${user}`), left: !stdout.includes(`Of ${ended}`) }).toEqual({
      code: 0,
      kept: true,
      left: true,
    });
  });
});

type Contact = Awaited<ReturnType<typeof place.contactsOf>>[number];

/** Without what is another record's in another account. */
function comparable({ id, owner_user_id, hotness_id, source_id, source, addresses, ...contact }: Contact) {
  const parts = addresses.map(({ id, created_at, modified_at, ...part }) => part);
  return { ...contact, source: source?.name, addresses: parts };
}

const byName = (a: { first_name: string | null }, b: { first_name: string | null }) =>
  String(a.first_name).localeCompare(String(b.first_name));
