import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';
import { startImport } from '../imports/start-import.ts';
import { importPage } from './import.page.ts';
import { importOf } from './import-page.queries.ts';
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
  const found = await importOf(query, user.id, id);
  if (!found) throw new Error(`Import ${id} does not exist.`);
  return found;
};

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
  if (/id="create_missing" [^>]*checked/.test(page)) form.set('create_missing', 'true');
  return form;
}

type Choices = Readonly<Record<string, string>>;

/** Sends the form as the page shows it, with some other choices. */
async function confirm(user: User, id: number, act: 'try' | 'import', choices: Choices = {}) {
  const found = await importFound(user, id);
  const visitor = { user_id: user.id, timezone: 'America/Chicago', form_token: 'token' };
  const form = asShown(String(importPage(visitor, found, { rows: [] }).body));
  const confirmed = readConfirmed(new Map([...form, ...Object.entries(choices)]), found);
  if ('problem' in confirmed) throw new Error(confirmed.problem);
  await startImport(query, id, user.id, { ...confirmed, dry_run: act === 'try' });
  await run();
  return contacts.as(user).imports.get({ id });
}

const fieldsOf = ({ columns }: Awaited<ReturnType<typeof confirm>>) => columns.map(({ field }) => field);

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
