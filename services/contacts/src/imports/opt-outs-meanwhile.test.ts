import type { User } from '@crm/auth';
import { openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, done, ofUser, errorsOf } = contacts;

/** Holds what changes of the consents of an owner wait for. */
const holdConsents = async ({ id }: User) => {
  const lock = "select pg_advisory_xact_lock(hashtext('consents'), $1::int)";
  const held = await openTransaction(contacts.database, lock, [id]);
  onTestFinished(held.rollback);
  return held;
};
const isFree = (id: number) => rows('select from contacts where id = $1 for update nowait', [id]);

describe('an import that opts contacts out', () => {
  it('refuses only the row whose contact is removed meanwhile', async () => {
    const anna = await person();
    const text = 'Email,Email Opt Out\na@example.com,yes\nb@example.com,yes\nc@example.com,yes';
    await done(anna, text, { duplicates: 'create' });
    const [a, b] = await ofUser(anna);
    const held = await openTransaction(contacts.database, 'select from contacts where id = $1 for update', [
      a?.id,
    ]);
    const again = done(anna, text, { duplicates: 'create' });
    await untilWaiting(rows, [again]);
    await contacts.as(anna).contacts.remove({ id: Number(b?.id) });
    await held.rollback();
    const { id, ...ended } = await again;
    expect(ended).toMatchObject({ status: 'Done', updated: 2, failed: 1 });
    expect(await errorsOf(anna, id)).toMatch(/^b@example.com,yes,3,/m);
  });

  it.each(['skip', 'update'] as const)(
    'waits for others before it locks contacts: %s',
    async (duplicates) => {
      const anna = await person();
      const { id } = await contacts.as(anna).contacts.create({ email: 'a@example.com' });
      await contacts.as(anna).contacts.create({ email: 'b@example.com' });
      const text = 'Email,Company,Email Opt Out\na@example.com,Coast,\nb@example.com,Coast,yes';
      const held = await holdConsents(anna);
      const importing = done(anna, text, { duplicates });
      await untilWaiting(rows, [importing]);
      expect(await isFree(id)).toHaveLength(1);
      await held.rollback();
      expect(await importing).toMatchObject({ status: 'Done', failed: 0 });
    },
  );
});

it('a change of consents waits for others before it locks the contact', async () => {
  const anna = await person();
  const { id } = await contacts.as(anna).contacts.create({ email: 'a@example.com' });
  const held = await holdConsents(anna);
  const changing = contacts.as(anna).consents.patch({ id, email_state: 'Opted Out' });
  await untilWaiting(rows, [changing]);
  expect(await isFree(id)).toHaveLength(1);
  await held.rollback();
  expect(await changing).toMatchObject({ email_state: 'Opted Out' });
});

it('rows that opt out wait for other changes of consents, and others do not', async () => {
  const anna = await person();
  const add = (name: string, opt_outs?: 'Email'[]) =>
    contacts.as(anna).importedRows.add({
      rows: [
        {
          key: name,
          contact: { email: `${name}@example.com` },
          shared_with: [],
          ...(opt_outs && { opt_outs }),
        },
      ],
    });
  const held = await holdConsents(anna);
  const adding = add('a', ['Email']);
  await untilWaiting(rows, [adding]);
  expect(await add('b')).toMatchObject([{ is_new: true }]);
  await held.rollback();
  expect(await adding).toMatchObject([{ is_new: true }]);
});
