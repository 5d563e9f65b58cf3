import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemForContacts } from '../../test/contacts-system.ts';
import { countEvents, eventsAbout } from '../../test/events-about.ts';
import { crmProcess } from '../../test/run-crm.ts';
import { until } from '../../test/until.ts';

let system: Awaited<ReturnType<typeof systemForContacts>>;
beforeAll(async () => {
  system = await systemForContacts();
  // The first event creates the stream whose events are counted.
  await system.import(system.file('one.csv', nameless(1)), await system.newUser());
  await until(async () => expect(await eventsOfContacts()).toBeGreaterThan(0));
});
afterAll(() => system.close());

const eventsOfContacts = () => countEvents(system.folder, 'contacts');
const eventsOfToken = async (id: number) =>
  (await eventsAbout(system.folder, 'identity', `access-token/${id}`)).map(({ type }) => type);

/** Rows that match no contact, so that only their idempotency keys distinguish them. */
const nameless = (count: number) =>
  `first_name\n${Array.from({ length: count }, (_, index) => `Person ${index}\n`).join('')}`;

const mixed = [
  'First Name,E-mail,Cell,Company,Source,Hotness,Notes',
  'Anna,anna@example.com,604 555 4572,,Fair,,x',
  'Anna,ANNA@example.com,,Ng Ltd,,,x',
  'anna,,+16045554572,,,,x',
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
    ['update', { created: 3, updated: 2, skipped: 0, failed: 5 }],
  ] as const)(
    'with --duplicates %s writes nothing and reports the counts of the real import',
    async (duplicates, counts) => {
      const user = await system.newUser();
      const file = system.file('mixed.csv', mixed);
      // The sources of an account are created shortly after it; all earlier events are published before theirs.
      const sources = `default-sources/${await system.idOf(user)}`;
      await until(async () => expect(await eventsAbout(system.folder, 'contacts', sources)).toHaveLength(1));
      const before = await eventsOfContacts();
      const dry = await system.import(file, user, { dryRun: true, duplicates });
      await sleep(500);
      expect(await eventsOfContacts()).toBe(before);
      expect(await system.totalOf(user)).toBe(0);
      const real = await system.import(file, user, { duplicates });
      expect(dry).toMatchObject({ dry_run: true, rows: 10, ...counts, ignored_columns: ['Notes'] });
      expect({ ...real, dry_run: true }).toEqual(dry);
      expect(await system.totalOf(user)).toBe(counts.created);
    },
  );
});

describe('an import', () => {
  it('writes errors to a file next to the imported one, skips those rows, and fails', async () => {
    const user = await system.newUser();
    system.file('mixed.csv', mixed);
    const { code, stdout } = await system.crm(
      'contacts',
      'import',
      `${system.folder}/mixed.csv`,
      '--user',
      user,
      '--json',
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      failed: 2,
      errors: [{ line: 5, column: 'Hotness' }, { line: 6 }],
    });
    const [header, cleo, dan, ...more] = system.read('mixed.csv.errors.csv').split('\n');
    expect(header).toBe('\ufeffFirst Name,E-mail,Cell,Company,Source,Hotness,Notes,line,reason');
    expect(cleo).toMatch(/^Cleo,,,,fair,Nosuch,x,5,Hotness: refers to a hotness that does not exist/);
    expect(dan).toMatch(/^Dan,d{256},,,,,x,6,.*E-mail: must be one e-mail address/);
    expect(more).toEqual(['']);
    const names = (await system.contactsOf(user)).map(({ first_name, source }) => [first_name, source?.name]);
    expect(names.sort()).toEqual([
      ['Anna', 'Fair'],
      ['Eve', undefined],
      ['Fay', 'Fair'],
    ]);
    const good = await system.import(system.file('mixed.csv', 'E-mail\nnew@example.com\n'), user);
    expect(good).toMatchObject({ created: 1, failed: 0, errors_file: null });
    expect(existsSync(`${system.folder}/mixed.csv.errors.csv`)).toBe(false);
  });

  it('updates the fields of a contact that have values in the file, and its first address', async () => {
    const user = await system.newUser();
    const first = 'Email,First Name,Company,Street,City\nanna@example.com,Anna,Ng Ltd,Main St 1,Burnaby\n';
    await system.import(system.file('first.csv', first), user);
    const second = 'Email,First Name,Company,Street,City\nAnna@Example.com,Ann,,Side St 2,\n';
    const update = { duplicates: 'update' } as const;
    const file = system.file('second.csv', second);
    expect(await system.import(file, user, update)).toMatchObject({ updated: 1, created: 0 });
    expect(await system.import(file, user, update)).toMatchObject({ updated: 1, created: 0 });
    expect(await system.contactsOf(user)).toMatchObject([
      {
        first_name: 'Ann',
        company: 'Ng Ltd',
        addresses: [{ street_address_1: 'Side St 2', city: 'Burnaby' }],
      },
    ]);
    expect((await system.contactsOf(user))[0]?.addresses).toHaveLength(1);
  });

  it('matches only contacts of its user, by the requested keys', async () => {
    const [user, other] = [await system.newUser(), await system.newUser()];
    const file = system.file('one.csv', 'email,phone\nanna@example.com,604 555 4572\n');
    expect(await system.import(file, other)).toMatchObject({ created: 1 });
    expect(await system.import(file, user)).toMatchObject({ created: 1 });
    const near = system.file('near.csv', 'email,phone\nother@example.com,(604) 555-4572\n');
    expect(await system.import(near, user, { dryRun: true })).toMatchObject({ skipped: 1 });
    expect(await system.import(near, user, { match: 'email' })).toMatchObject({ created: 1 });
  });

  it('that was killed creates nothing twice when it is rerun', async () => {
    const user = await system.newUser();
    const file = system.file('many.csv', nameless(6000));
    const import1 = system.spawn('contacts', 'import', file, '--user', user);
    await system.untilMoreThan(20, user);
    await import1.end('SIGKILL');
    const before = await system.totalOf(user);
    expect(before).toBeLessThan(6000);
    const again = await system.import(file, user);
    expect(again).toMatchObject({ rows: 6000, failed: 0, created: 6000 - again.skipped });
    expect(again.skipped).toBeGreaterThanOrEqual(before);
    expect(await system.totalOf(user)).toBe(6000);
  });

  it('does not interfere with another import of the same file', async () => {
    const users = [await system.newUser(), await system.newUser()];
    const good = system.file('shared.csv', nameless(5));
    const both = await Promise.all(users.map((user) => system.import(good, user)));
    expect(both).toMatchObject([{ created: 5 }, { created: 5 }]);
    const bad = system.file('shared.csv', mixed);
    await Promise.all(users.map((user) => system.import(bad, user)));
    expect(system.read('shared.csv.errors.csv').split('\n')).toHaveLength(4);
  });

  it('creates contacts again that were removed after an earlier import', async () => {
    const user = await system.newUser();
    const file = system.file('two.csv', nameless(2));
    await system.import(file, user);
    await system.as(user, async ({ contacts }) => {
      const { data } = await contacts.contacts.find({});
      await contacts.contacts.remove({ id: data[0]?.id ?? 0 });
    });
    expect(await system.import(file, user)).toMatchObject({ created: 1, skipped: 1 });
    expect(await system.totalOf(user)).toBe(2);
  });

  it('that is interrupted reports what it has done and revokes its token', async () => {
    const user = await system.newUser();
    const file = system.file('off.csv', nameless(20_000));
    const tokenBefore = await system.newToken(user);
    const running = system.spawn('contacts', 'import', file, '--user', user, '--json');
    await system.untilMoreThan(20, user);
    const { code, stdout } = await running.end('SIGINT');
    const { created, stopped } = JSON.parse(stdout);
    expect({ code, total: await system.totalOf(user) }).toEqual({ code: 1, total: created });
    expect(created).toBeLessThan(20_000);
    expect(stopped.reason).toContain('interrupted');
    const count = (await system.newToken(user)) - tokenBefore - 1;
    expect(count).toBeGreaterThan(0);
    for (const id of Array.from({ length: count }, (_, index) => tokenBefore + 1 + index)) {
      await until(async () => expect(await eventsOfToken(id)).toEqual([expect.stringContaining('revoked')]));
    }
  });

  it('of a malformed file imports the rows before the error and reports its line', async () => {
    const user = await system.newUser();
    const file = system.file('broken.csv', `${nameless(300)}"Bro"ken\nAfter\n`);
    const { code, stdout } = await system.crm('contacts', 'import', file, '--user', user);
    expect({ code, total: await system.totalOf(user) }).toEqual({ code: 1, total: 300 });
    expect(stdout).toContain('Of 300 rows: 300 created');
    expect(stdout).toContain('on line 302');
  });

  it.each([
    ['UTF-16', Buffer.from('\ufeffemail\nx@example.com\n', 'utf16le'), 'WrongEncoding'],
    ['no known header', 'Nothing\nx@example.com\n', 'NoHeader'],
    ['nothing in it', '', 'NoHeader'],
  ])('of a file with %s fails before importing anything', async (_, content, reason) => {
    const user = await system.newUser();
    await expect(system.import(system.file('bad.csv', content), user)).rejects.toMatchObject({ reason });
    expect(existsSync(`${system.folder}/bad.csv.errors.csv`)).toBe(false);
  });

  it('without a user assigns rows to the owners that the file names', async () => {
    const [user, other] = [await system.newUser(), await system.newUser()];
    const file = system.file(
      'owners.csv',
      `owner,email\n${other},a@x.example\nnobody@x.example,b@x.example\n`,
    );
    expect(await system.import(file)).toMatchObject({ user_id: null, created: 1, failed: 1 });
    expect([await system.totalOf(user), await system.totalOf(other)]).toEqual([0, 1]);
    const none = system.file('none.csv', 'email\na@x.example\n');
    await expect(system.import(none)).rejects.toMatchObject({ reason: 'NoOwner' });
  });

  it("and an export resolve paths in the user's current folder, as npm passes it on", async () => {
    const user = await system.newUser();
    system.file('here.csv', 'email\na@x.example\n');
    const env = { ...system.env, INIT_CWD: system.folder };
    const imported = await crmProcess(['contacts', 'import', 'here.csv', '--user', user], env);
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('1 created') });
    expect(
      await crmProcess(['contacts', 'export', '--user', user, '--output', 'out.csv'], env),
    ).toMatchObject({
      code: 0,
    });
    expect(system.read('out.csv')).toContain('a@x.example');
  });

  it.each([
    [['import', 'x.csv', '--user', '1', '--duplicates', 'nosuch']],
    [['import', 'x.csv', '--user', '1', '--map', 'A=nosuch']],
    [['export', '--json']],
  ])('with the arguments %j exits with 2', async (words) => {
    expect(await system.crm('contacts', ...words)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('an export', () => {
  it('imported by another user results in the same contacts', async () => {
    const [user, other] = [await system.newUser(), await system.newUser()];
    for (const one of [user, other]) {
      await system.as(one, ({ contacts }) => contacts.hotnesses.create({ name: 'Hot, "very"' }));
    }
    await system.as(user, async ({ contacts }) => {
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
    const output = `${system.folder}/export.csv`;
    const exported = await system.crm('contacts', 'export', '--user', user, '--output', output, '--json');
    expect(exported).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `${JSON.stringify({ rows: 2, output })}\n`,
    });
    expect(await system.import(output, other)).toMatchObject({ created: 2, failed: 0 });
    expect((await system.contactsOf(other)).map(comparable).sort(byName)).toEqual(
      (await system.contactsOf(user)).map(comparable).sort(byName),
    );
    const { stdout } = await system.crm('contacts', 'export', '--user', user);
    // The mark at the start is dropped when standard output is read as text.
    expect(`\ufeff${stdout}`).toBe(system.read('export.csv'));
  });

  it('of all users omits those whose accounts are disabled', async () => {
    const [user, disabled] = [await system.newUser(), await system.newUser()];
    for (const one of [user, disabled]) {
      await system.as(one, ({ contacts }) => contacts.contacts.create({ first_name: `Of ${one}` }));
    }
    expect((await system.crm('contacts', 'export')).stdout).toContain(`Of ${disabled}`);
    expect(await system.crm('users', 'disable', disabled)).toMatchObject({ code: 0 });
    const { code, stdout } = await system.crm('contacts', 'export');
    expect({ code, kept: stdout.includes(`Of ${user}`), left: !stdout.includes(`Of ${disabled}`) }).toEqual({
      code: 0,
      kept: true,
      left: true,
    });
  });
});

type Contact = Awaited<ReturnType<typeof system.contactsOf>>[number];

/** Without the ids, which differ between accounts. */
function comparable({ id, owner_user_id, hotness_id, source_id, source, addresses, ...contact }: Contact) {
  const parts = addresses.map(({ id, created_at, modified_at, ...part }) => part);
  return { ...contact, source: source?.name, addresses: parts };
}

const byName = (a: { first_name: string | null }, b: { first_name: string | null }) =>
  String(a.first_name).localeCompare(String(b.first_name));
