import { afterAll, describe, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);

const types = ['text/csv', 'application/x-ndjson'] as const;
const placeholders = [
  { first_name: 'Bill', mobile_phone: 'n/a' },
  { first_name: 'Cleo', mobile_phone: 'n/a' },
  { first_name: 'Dora', mobile_phone: '-', email: 'none' },
  { first_name: 'Emil', email: 'none' },
  { first_name: 'Fay', mobile_phone: 'unknown' },
  { first_name: 'Gus', mobile_phone: 'unknown', email: 'gus@example.com' },
];
const names = placeholders.map(({ first_name }) => first_name);
const namesOf = async (user: Parameters<typeof contacts.ofUser>[0]) =>
  (await contacts.ofUser(user)).map(({ first_name }) => first_name).sort();

describe('people with the same placeholder instead of a phone or an address', () => {
  it.each(types)('are all imported from the export of another account: %s', async (type) => {
    const [anna, ben] = [await contacts.person(), await contacts.person()];
    for (const contact of placeholders) await contacts.as(anna).contacts.create(contact);
    const { text } = await contacts.as(anna).exports.contacts({ type: 'application/x-ndjson' });
    const csv = await contacts.as(anna).exports.contacts({ type: 'text/csv' });
    const rest =
      csv.next === null
        ? ''
        : (await contacts.as(anna).exports.contacts({ type: 'text/csv', cursor: csv.next })).text;
    const file = type === 'text/csv' ? csv.text + rest : text;
    expect(await contacts.done(ben, file, { type })).toMatchObject({ created: 6, skipped: 0, failed: 0 });
    expect(await namesOf(ben)).toEqual(names);
  });

  it.each([false, true])(
    'do not overwrite each other, nor contacts that exist; dry run: %s',
    async (dry_run) => {
      const anna = await contacts.person();
      const old = { first_name: 'Old', mobile_phone: 'n/a', email: 'none' };
      await contacts.as(anna).contacts.create(old);
      const lines = placeholders.map((one) => JSON.stringify(one)).join('\n');
      const done = await contacts.done(anna, lines, {
        type: 'application/x-ndjson',
        duplicates: 'update',
        dry_run,
      });
      expect(done).toMatchObject({ created: 6, updated: 0, failed: 0 });
      expect(await namesOf(anna)).toEqual(dry_run ? ['Old'] : [...names, 'Old']);
    },
  );

  it('are not added again by the same file', async () => {
    const anna = await contacts.person();
    const lines = placeholders.map((one) => JSON.stringify(one)).join('\n');
    const sent = () => contacts.done(anna, lines, { type: 'application/x-ndjson' });
    expect(await sent()).toMatchObject({ created: 6 });
    expect(await sent()).toMatchObject({ created: 0, skipped: 6 });
    expect(await namesOf(anna)).toEqual(names);
  });
});

describe('hundreds of contacts with one address, which is a placeholder', () => {
  it.each([false, true])(
    'do not hold up a file of hundreds of others with it; dry run: %s',
    async (dry_run) => {
      const anna = await contacts.person();
      const file = (name: string, count: number) =>
        [
          'First Name,Email',
          ...Array.from({ length: count }, (_, n) => `${name}${n},noemail@example.com`),
        ].join('\n');
      expect(await contacts.done(anna, file('Anna', 900), { duplicates: 'create' })).toMatchObject({
        created: 900,
      });
      const outcome = { status: 'Done', rows: 900, skipped: 900, warned: 900 };
      expect(await contacts.done(anna, file('Ben', 900), { dry_run })).toMatchObject(outcome);
    },
  );
});
