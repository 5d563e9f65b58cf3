import { openTransaction } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { importing } from '../../test/importing.ts';

const contacts = await importing();
afterAll(contacts.close);
const { person, rows, done, ofUser, errorsOf } = contacts;

const isWaiting = () =>
  expect
    .poll(() =>
      rows("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"),
    )
    .toHaveLength(1);

it('an import refuses only the row whose contact is removed while it opts contacts out', async () => {
  const anna = await person();
  const text = 'Email,Email Opt Out\na@example.com,yes\nb@example.com,yes\nc@example.com,yes';
  await done(anna, text, { duplicates: 'create' });
  const [a, b] = await ofUser(anna);
  const held = await openTransaction(contacts.database, 'select from contacts where id = $1 for update', [
    a?.id,
  ]);
  const again = done(anna, text, { duplicates: 'create' });
  await isWaiting();
  await contacts.as(anna).contacts.remove({ id: Number(b?.id) });
  await held.rollback();
  const { id, ...ended } = await again;
  expect(ended).toMatchObject({ status: 'Done', updated: 2, failed: 1 });
  expect(await errorsOf(anna, id)).toMatch(/^b@example.com,yes,3,/m);
});
