import { Writable } from 'node:stream';
import type { User } from '@crm/auth';
import { openExport } from '@crm/contacts-csv';
import { tooSlow } from '@crm/contract';
import { afterAll, describe, expect, it } from 'vitest';
import { statementsOf } from '../../test/statements-of.ts';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { contactsFormat } from '../contacts-format.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);

type ExportInput = Parameters<ReturnType<typeof contacts.as>['exports']['contacts']>[0];

async function exported(user: User, input: ExportInput = {}) {
  const parts: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const part = await contacts.as(user).exports.contacts({ ...input, ...(cursor && { cursor }) });
    parts.push(part.text);
    if (part.next === null) return { text: parts.join(''), parts: parts.length };
    cursor = part.next;
  }
}

/** Does some work while each read of more than so many contacts is stopped. Returns how many were stopped too. */
async function whileReadsAreSlow<Result extends object>(most: number, work: () => Promise<Result>) {
  const { database } = contacts;
  const { read } = database;
  let stopped = 0;
  const slow: typeof read = async (text, values, ms) => {
    const found = await read(text, values, ms);
    const records = / from contacts\b/.test(text) ? found[0]?.records : undefined;
    if (typeof records !== 'string' || records.split('\n').length <= most) return found;
    stopped++;
    throw tooSlow({ retryAfter: 1 });
  };
  Object.assign(database, { read: slow });
  const result = await work().finally(() => Object.assign(database, { read }));
  return { ...result, stopped };
}

/** What the crm command writes. */
async function ofTheCommand(user: User) {
  const file = await openExport('one user', new Date().toISOString().slice(0, 10), contactsFormat);
  const people = (ids: readonly number[]) => contacts.identity.asSystem.users.byIds({ ids: [...ids] });
  const client = { userId: user.id, contacts: contacts.as(user), people, colleagues: async () => [] };
  await file.add(client, { onProgress: () => {}, throwIfStopped: () => {} });
  const chunks: Buffer[] = [];
  const target = new Writable({ write: (chunk, _, done) => done(void chunks.push(Buffer.from(chunk))) });
  await file.writeTo(target);
  await file.close();
  return Buffer.concat(chunks).toString();
}

const columnsFor = (addresses: number) =>
  JSON.stringify({ after: 0, layout: { owners: false, addresses, customFields: [] } });

describe('an export', () => {
  it('has the bytes of the crm command, in parts, whatever the contacts contain', async () => {
    const ben = await contacts.person();
    const anna = { ...(await contacts.person()), teammate_ids: [ben.id] };
    const api = contacts.as(anna);
    const pets = await api.customFields.create({ name: '=Pets', data_type: 'Text' });
    const budget = await api.customFields.create({ name: 'Budget', data_type: 'Dollar Amt' });
    const rows = Array.from({ length: 520 }, (_, index) => ({
      key: `${index}`,
      contact: {
        first_name: `=SUM(${index})`,
        last_name: ' "O\'Brien",\r\nJr. ',
        mobile_phone: index % 3 ? '+1 604 555 4572' : '604555',
        birthday: index % 2 ? '1975-12-10' : '12/10/75',
        tags: 'a,  b',
        addresses: Array.from({ length: index === 400 ? 3 : index % 2 }, (__, n) => ({ city: `City ${n}` })),
        custom_fields: [
          { id: pets.id, value: '-1' },
          { id: budget.id, value: `$${index}` },
        ],
      },
      shared_with: [],
      opt_outs: index % 5 === 0 ? ['Email' as const] : [],
    }));
    for (let from = 0; from < rows.length; from += 260)
      await api.importedRows.add({ rows: rows.slice(from, from + 260) });
    await contacts.rows('update contacts set assigned_user_id = $2 where owner_user_id = $1 and id % 7 = 0', [
      anna.id,
      ben.id,
    ]);
    const { text, parts } = await exported(anna);
    expect(parts).toBe(3);
    expect(text.startsWith('created_at') || text.includes('first_name')).toBe(true);
    expect(text).toBe(await ofTheCommand(anna));
  });

  it.each([{}, { filter: { company: 'Coast' } }, { filter: { $search: 'meredith' } }])(
    'counts nothing for its parts, and finds each where the one before has ended: %j',
    async (asked) => {
      const ben = await contacts.person();
      const anna = { ...(await contacts.person()), teammate_ids: [ben.id], sharing_teammate_ids: [ben.id] };
      await contacts.rows(
        `insert into contacts (owner_user_id, first_name, company, created_at, modified_at)
         select case when n % 2 = 0 then $1::int else $2::int end, 'Meredith', 'Coast', now(), now() from generate_series(1, 600) n`,
        [anna.id, ben.id],
      );
      let parts = 0;
      const statements = await statementsOf(contacts.database, async () => {
        const found = await exported(anna, { ...asked, type: 'application/x-ndjson' });
        const ids = found.text.split('\n').flatMap((line) => (line ? [JSON.parse(line).id] : []));
        expect(ids).toHaveLength(600);
        expect(ids).toEqual(ids.toSorted((a, b) => a - b));
        parts = found.parts;
      });
      const pages = statements.filter((text) => / as records\b/.test(text));
      expect(pages).toHaveLength(parts);
      for (const text of pages) expect(text).toMatch(/ \$\d+::bigint as total,/);
    },
  );

  it.each([
    { type: 'text/csv' },
    { type: 'application/x-ndjson' },
    { filter: { $search: 'meredith' } },
  ] as const)('goes on with half as many contacts when so many cannot be read in time: %j', async (asked) => {
    const anna = await contacts.person();
    await contacts.rows(
      `insert into contacts (owner_user_id, first_name, created_at, modified_at)
         select $1, 'Meredith', now(), now() from generate_series(1, 600) n`,
      [anna.id],
    );
    const whole = await exported(anna, asked);
    const slow = await whileReadsAreSlow(100, () => exported(anna, asked));
    expect(slow.text).toBe(whole.text);
    // Only the first part is tried with more than 62 contacts.
    expect(slow.stopped).toBeLessThan(12);
  });

  it('fails if not even one contact can be read in time', async () => {
    const anna = await contacts.person();
    await contacts.as(anna).contacts.create({ first_name: 'Meredith' });
    await expect(whileReadsAreSlow(0, () => exported(anna))).rejects.toMatchObject({ reason: 'too_slow' });
  });

  it('of the crm command goes on with half as many contacts too', async () => {
    const anna = await contacts.person();
    await contacts.rows(
      `insert into contacts (owner_user_id, first_name, created_at, modified_at)
       select $1, 'Meredith', now(), now() from generate_series(1, 600) n`,
      [anna.id],
    );
    const whole = await ofTheCommand(anna);
    const { text } = await whileReadsAreSlow(100, async () => ({ text: await ofTheCommand(anna) }));
    expect(text).toBe(whole);
  });

  it('has the columns of all contacts, which no statement reads at once', async () => {
    const [anna, ben] = [await contacts.person(), await contacts.person()];
    await contacts.rows(
      `insert into contacts (owner_user_id, assigned_user_id, first_name, created_at, modified_at)
       select case when n > 11000 then $2::int else $1::int end, $1::int, 'Ada', now(), now()
       from generate_series(1, 11001) n`,
      [anna.id, ben.id],
    );
    await contacts.rows(
      `insert into addresses (contact_id, city, created_at, modified_at)
       select id, format('City %s', n), now(), now() from (select max(id) as id from contacts) c, generate_series(1, 3) n`,
    );
    const statements = await statementsOf(contacts.database, async () => {
      const [header, ...lines] = (await exported(anna)).text.trimEnd().split('\n');
      expect(header).toMatch(/^\ufeffowner,.*address_3_city/);
      expect(lines).toHaveLength(11_001);
      expect(lines.at(-1)).toMatch(/City 1.*City 2.*City 3/);
    });
    expect(statements.filter((text) => / from contacts\b/.test(text) && !/ limit /.test(text))).toEqual([]);
  });

  it('is whole if one contact has more addresses than a line has columns for', async () => {
    const anna = await contacts.person();
    const api = contacts.as(anna);
    const rows = Array.from({ length: 260 }, (_, n) => ({
      key: `${n}`,
      contact: { first_name: `Anna ${n}` },
      shared_with: [],
    }));
    const [{ id } = { id: null }] = await api.importedRows.add({ rows });
    await contacts.rows(
      `insert into addresses (contact_id, city, created_at, modified_at)
       select $1, 'City', now(), now() from generate_series(1, 1001)`,
      [id],
    );
    const [header, ...lines] = (await exported(anna)).text.trimEnd().split('\n');
    expect(lines).toHaveLength(260);
    expect(header).toContain('address_1000_city');
    expect(lines[0]?.split(',').filter((cell) => cell === 'City')).toHaveLength(1_000);
  });

  it('of the crm command is counted once, with its first page', async () => {
    const anna = await contacts.person();
    await contacts.rows(
      `insert into contacts (owner_user_id, first_name, created_at, modified_at)
       select $1, 'Ada', now(), now() from generate_series(1, 1100)`,
      [anna.id],
    );
    const statements = await statementsOf(contacts.database, async () =>
      expect((await ofTheCommand(anna)).trimEnd().split('\n')).toHaveLength(1101),
    );
    const pages = statements.filter((text) => / as records\b/.test(text) && / from contacts /.test(text));
    const counted = pages.filter((text) => !/ \$\d+::bigint as total,/.test(text));
    expect([pages.length, counted.length]).toEqual([2, 1]);
  });

  it.each([
    ['not JSON', 'x'],
    ['no object', 'null'],
    ['no place', '{}'],
    ['a place that is no number', '{"after":"7"}'],
    ['a place that is too large', `{"after":${1e300}}`],
    ['columns for more addresses than anybody has', columnsFor(1e15)],
    ['columns for fewer addresses than none', columnsFor(-1)],
  ])('refuses a cursor that is %s', async (_, cursor) => {
    const anna = await contacts.person();
    await contacts.as(anna).contacts.create({ first_name: 'Ada' });
    for (const type of ['text/csv', 'application/x-ndjson'] as const)
      await expect(contacts.as(anna).exports.contacts({ cursor, type })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { cursor: 'must be "next" of the previous part' },
      });
  });

  it('has no e-mail address of a person whom the caller does not see', async () => {
    const [anna, ben] = [await contacts.person(), await contacts.person()];
    const { id } = await contacts.as(anna).contacts.create({ first_name: 'Kept' });
    // As after both have left their team.
    await contacts.rows('update contacts set assigned_user_id = $2 where id = $1', [id, ben.id]);
    const [{ email } = { email: '' }] = await contacts.identity.asSystem.users.byIds({ ids: [ben.id] });
    const { text } = await exported(anna);
    expect([text.includes(`user ${ben.id}`), text.includes(email)]).toEqual([true, false]);
    const teammates = { ...anna, teammate_ids: [ben.id] };
    expect((await exported(teammates)).text).toContain(email);
    await contacts.identity.asSystem.users.disable({ user: ben.id });
    expect((await exported(teammates)).text).not.toContain(email);
  });

  it('has what a search finds, and no contact with similar words instead', async () => {
    const anna = await contacts.person();
    await contacts.rows(
      `insert into contacts (owner_user_id, first_name, created_at, modified_at)
       select $1, case when n > 500 then 'Meredyth' else 'Meredith' end, now(), now() from generate_series(1, 1000) n`,
      [anna.id],
    );
    const found = async (words: string, type: 'text/csv' | 'application/x-ndjson' = 'text/csv') => {
      const { text, parts } = await exported(anna, { filter: { $search: words, has_email: false }, type });
      const names = text.match(/Mered[iy]th/g) ?? [];
      return { parts, count: names.length, names: [...new Set(names)].sort() };
    };
    expect(await found('meredith')).toEqual({ parts: 3, count: 500, names: ['Meredith'] });
    expect(await found('meredith', 'application/x-ndjson')).toMatchObject({ count: 500 });
    expect(await found('meredoth')).toMatchObject({ parts: 1, count: 0 });
    expect(await found('nobody')).toMatchObject({ parts: 1, count: 0 });
  });

  it('has what the caller sees and asks for, and names the owners if there are several', async () => {
    const [anna, ben] = [await contacts.person(), await contacts.person()];
    const { id } = await contacts.as(anna).contacts.create({ first_name: 'Shown', last_name: 'Given' });
    await contacts.as(anna).contacts.create({ first_name: 'Hidden' });
    await contacts.as(ben).contacts.create({ first_name: 'Own' });
    await contacts.rows('update contacts set assigned_user_id = $2 where id = $1', [id, ben.id]);
    const lines = (await exported(ben, { type: 'application/x-ndjson' })).text.trimEnd().split('\n');
    const { data } = await contacts.as(ben).contacts.find({ $sort: { id: 1 } });
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      data.map((one) => ({ ...one, text_opt_out: false, email_opt_out: false })),
    );
    const [header, ...more] = (await exported(ben)).text.trimEnd().split('\n');
    expect(header).toMatch(/^\ufeffowner,/);
    expect(more.map((line) => line.split(',')[1])).toEqual(['Shown', 'Own']);
    expect((await exported(ben, { filter: { last_name: 'Given' } })).text.split('\n')).toHaveLength(3);
    expect(
      (await exported(ben, { filter: { last_name: 'Nobody' }, type: 'application/x-ndjson' })).text,
    ).toBe('');
    for (const [filter, named] of [
      [{ nmae: 'x' }, 'filter.nmae'],
      [{ $search: 'a' }, 'filter.$search'],
      [{ $limit: 5 }, 'filter.$limit'],
    ] as const)
      await expect(exported(ben, { filter })).rejects.toMatchObject({
        errors: { [named]: expect.any(String) },
      });
  });
});
