import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';
import { startImport } from '../imports/start-import.ts';
import { type Choices, choicesIn } from './choices.ts';
import { importPage } from './import.page.ts';
import { importOf, type Shown } from './import-page.queries.ts';
import { readConfirmed } from './read-confirmed.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, run, send, ofUser } = contacts;
const { query } = contacts.workerContext.database;

/** Sends a file whose columns are to be confirmed. */
async function held(user: User, text: string): Promise<number> {
  const { id } = await contacts.as(user).imports.create({});
  await rows('update imports set is_held = true where id = $1', [id]);
  for (const part of [
    { index: 0, text, is_last: false },
    { index: 1, text: '', is_last: true },
  ])
    await contacts.asSystem.imports.receive({ id, ...part });
  return id;
}

const importFound = async (user: User, id: number) => {
  const found = await importOf(query, user, id);
  if (!found) throw new Error(`Import ${id} does not exist.`);
  return found;
};

function pageOf(found: Shown, refused: { problem?: string; chosen?: Choices } = {}): string {
  const visitor = { user_id: found.user_id, timezone: 'America/Chicago', form_token: 'token' };
  return String(importPage(visitor, found, { rows: [], ...refused }).body);
}

/** What a browser sends if nothing is changed in the form of a page. */
function asShown(page: string): Map<string, string> {
  const form = new Map<string, string>();
  for (const [, name = '', inside = ''] of page.matchAll(
    /<select id="\w+" name="(\w+)"[^>]*>(.*?)<\/select>/gs,
  )) {
    const options = [...inside.matchAll(/<option value="([^"]*)"( selected)?/g)];
    const [, value = ''] = options.find(([, , selected]) => selected) ?? options[0] ?? [];
    form.set(name, value);
  }
  form.set('tags', /name="tags" [^>]*value="([^"]*)"/.exec(page)?.[1] ?? '');
  if (/id="create_missing" [^>]*checked/.test(page)) form.set('create_missing', 'true');
  return form;
}

/** Sends the form as the page shows it, with some other choices. */
async function confirm(
  user: User,
  id: number,
  act: 'try' | 'import',
  choices: Readonly<Record<string, string>> = {},
) {
  const found = await importFound(user, id);
  const confirmed = readConfirmed(new Map([...asShown(pageOf(found)), ...Object.entries(choices)]), found);
  if ('problem' in confirmed) throw new Error(confirmed.problem);
  await startImport(query, id, user.id, { ...confirmed, dry_run: act === 'try' });
  await run();
  return contacts.as(user).imports.get({ id });
}

const fieldsOf = ({ columns }: Awaited<ReturnType<typeof confirm>>) => columns.map(({ field }) => field);

describe('columns that are tried', () => {
  const text = 'Name,Mail2,Stage2,Blah,Email\nAda Ng,ada@example.com,A,zz,fax@example.com';
  const choices = { column_1: 'email', column_2: 'custom:Stage2', column_4: 'spouse_email' };

  it('are imported as they were tried, if the form is sent as it is shown after the trial', async () => {
    const anna = await person();
    const id = await held(anna, text);
    const fields = ['name', 'email', 'custom:Stage2', null, 'spouse_email'];
    expect(fieldsOf(await confirm(anna, id, 'try', choices))).toEqual(fields);
    expect(fieldsOf(await confirm(anna, id, 'try'))).toEqual(fields);
    const imported = await confirm(anna, id, 'import');
    expect(imported).toMatchObject({ status: 'Done', created: 1, failed: 0 });
    expect(fieldsOf(imported)).toEqual(fields);
    expect(await ofUser(anna)).toMatchObject([
      {
        first_name: 'Ada',
        email: 'ada@example.com',
        spouse_email: 'fax@example.com',
        custom_fields: [{ name: 'Stage2', value: 'A' }],
      },
    ]);
  });

  it('keep their fields if an earlier version has tried them, which stored them by header', async () => {
    const anna = await person();
    const id = await held(anna, text);
    await confirm(anna, id, 'try', choices);
    const mapping = { Mail2: 'email', Stage2: 'custom:Stage2', Blah: '', Email: 'spouse_email' };
    await rows('update imports set mapping = $2 where id = $1', [id, mapping]);
    expect(fieldsOf(await confirm(anna, id, 'import'))).toEqual([
      'name',
      'email',
      'custom:Stage2',
      null,
      'spouse_email',
    ]);
  });

  it('can be mapped otherwise after the trial, also back to what their headers say', async () => {
    const anna = await person();
    const id = await held(anna, text);
    await confirm(anna, id, 'try', choices);
    const imported = await confirm(anna, id, 'import', {
      column_1: 'spouse_email',
      column_2: 'company',
      column_4: 'email',
    });
    expect(fieldsOf(imported)).toEqual(['name', 'spouse_email', 'company', null, 'email']);
    expect(await ofUser(anna)).toMatchObject([
      { email: 'fax@example.com', spouse_email: 'ada@example.com', company: 'A', custom_fields: [] },
    ]);
  });
});

describe('a column with the name of a custom field', () => {
  const text = 'Name,Pet,lot-size,Unsubscribe Reason\nAda,Rex,12,';
  const choices = { column_3: '' };

  async function withFields() {
    const anna = await person();
    const { customFields } = contacts.as(anna);
    const pet = await customFields.create({ name: 'Pet', data_type: 'Text' });
    await customFields.create({ name: 'Lot size', data_type: 'Number' });
    await customFields.create({ name: 'Unsubscribe Reason', data_type: 'Text' });
    return { anna, pet, customFields };
  }

  it('fills it, as in an import without a page', async () => {
    const { anna } = await withFields();
    const fields = ['name', 'custom:Pet', 'custom:lot-size', null];
    const id = await held(anna, text);
    expect(
      fieldsOf(await confirm(anna, id, 'try', choices)).map(
        (field) => field?.replace('(Number)', '') ?? null,
      ),
    ).toEqual(fields);
    expect(await confirm(anna, id, 'import')).toMatchObject({ status: 'Done', created: 1, failed: 0 });
    const [{ custom_fields } = { custom_fields: [] }] = await ofUser(anna);
    expect(custom_fields.map(({ value }) => value)).toEqual(['Rex', '12', null]);
  });

  it('can be left out, and stays so after a trial', async () => {
    const { anna } = await withFields();
    const id = await held(anna, text);
    await confirm(anna, id, 'try', { ...choices, column_1: '', column_2: 'company' });
    expect(fieldsOf(await confirm(anna, id, 'import'))).toEqual(['name', null, 'company', null]);
  });

  it('is not left out silently if the field is removed meanwhile', async () => {
    const { anna, pet, customFields } = await withFields();
    const id = await held(anna, text);
    await confirm(anna, id, 'try', choices);
    await customFields.remove({ id: pet.id });
    await rows('update imports set create_missing = false where id = $1', [id]);
    expect(await confirm(anna, id, 'import')).toMatchObject({
      status: 'Failed',
      error: expect.stringContaining('"Pet"'),
    });
  });
});

describe('a form that is refused', () => {
  it('is shown again with what was chosen in it', async () => {
    const anna = await person();
    const found = await importFound(
      anna,
      await held(anna, 'Name,Mail2,"Pet\nname"\nAda Ng,ada@example.com,Rex'),
    );
    const sent = new Map([
      ...asShown(pageOf(found)),
      ...Object.entries({
        column_1: 'name',
        column_2: 'custom:Pet\r\nname',
        duplicates: 'update',
        tags: 'Spring',
      }),
    ]);
    sent.delete('create_missing');
    expect(readConfirmed(sent, found)).toEqual({
      problem: expect.stringContaining('Two columns fill "Name"'),
    });
    const again = asShown(pageOf(found, { problem: 'It is wrong.', chosen: choicesIn(sent, found) }));
    expect([...again]).toEqual([...sent].map(([name, value]) => [name, value.replace('\r', '')]));
  });
});

describe('a column that could opt contacts out', () => {
  const text = 'Name,Unsubscribe Reason\nAda,Too many';

  it('is imported only after somebody has chosen what it means', async () => {
    const anna = await person();
    const id = await held(anna, text);
    for (const act of ['try', 'import'] as const)
      await expect(confirm(anna, id, act)).rejects.toThrow(
        /"Unsubscribe Reason".*could say who gets no messages/,
      );
    expect(await importFound(anna, id)).toMatchObject({ status: 'Mapping', rows: 0 });
    const chosen = { column_1: 'email_opt_out' };
    expect(fieldsOf(await confirm(anna, id, 'try', chosen))).toEqual(['name', 'email_opt_out']);
  });

  it('stays left out after a trial without it', async () => {
    const anna = await person();
    const id = await held(anna, text);
    await confirm(anna, id, 'try', { column_1: '' });
    expect(await confirm(anna, id, 'import')).toMatchObject({ status: 'Done', created: 1 });
  });
});

describe('columns with the same header', () => {
  it.each([
    ['Email,Email', 'ada@example.com,other@example.com', ['email', null], { email: 'ada@example.com' }],
    ['Email,E-mail', 'ada@example.com,other@example.com', ['email', null], { email: 'ada@example.com' }],
    [
      'Street,City,Street,City',
      '1 Main,Reno,2 Side,Boston',
      ['street_address_1', 'city', null, null],
      { addresses: [{ street_address_1: '1 Main', city: 'Reno' }] },
    ],
  ])('are imported as the form shows them: %s', async (headers, cells, fields, contact) => {
    const anna = await person();
    const imported = await confirm(anna, await held(anna, `${headers}\n${cells}`), 'import');
    expect(fieldsOf(imported)).toEqual(fields);
    expect(await ofUser(anna)).toMatchObject([contact]);
  });

  it('can each fill another field', async () => {
    const anna = await person();
    const id = await held(anna, 'Email,Email,Email\na@example.com,b@example.com,c@example.com');
    await confirm(anna, id, 'try', { column_0: 'spouse_email', column_1: 'email' });
    const imported = await confirm(anna, id, 'import');
    expect(fieldsOf(imported)).toEqual(['spouse_email', 'email', null]);
    expect(await ofUser(anna)).toMatchObject([{ email: 'b@example.com', spouse_email: 'a@example.com' }]);
  });
});

describe('a file that begins with its separator', () => {
  it('is refused on the page as well, before its columns are shown', async () => {
    const anna = await person();
    await expect(held(anna, 'sep=,\nName,Email\nAda,ada@example.com')).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { file: expect.stringContaining('The first line is "sep="') },
    });
  });
});

describe('a header with a meaning of its own', () => {
  it.each(['*', "'-Pet", '-Pet', '#1', 'custom:Pet'])(
    'is a name like any other on the page: %s',
    async (header) => {
      const anna = await person();
      const text = `Name,${header}\nAda,Rex`;
      const left = await confirm(anna, await held(anna, text), 'import', { column_1: '' });
      expect(fieldsOf(left)).toEqual(['name', null]);
      const mapped = await confirm(anna, await held(anna, `${text} `), 'import', { column_1: 'company' });
      expect(fieldsOf(mapped)).toEqual(['name', 'company']);
    },
  );

  it('is mapped by the name that the file has, or by that without its apostrophe', async () => {
    const anna = await person();
    for (const [name, field] of [
      ["'-Pet", 'company'],
      ['-Pet', ''],
    ] as const) {
      const id = await send(anna, `Name,'-Pet\nAda,${field}`, { mapping: { [name]: field } });
      expect(fieldsOf(await contacts.as(anna).imports.get({ id }))).toEqual(['name', field || null]);
    }
  });
});
