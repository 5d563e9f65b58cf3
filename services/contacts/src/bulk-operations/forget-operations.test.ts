import { afterAll, expect, it } from 'vitest';
import { refuseMany } from '../../test/refuse-many.ts';
import { contactsWithIdentity } from '../../test/with-identity.ts';
import { forgetOperations } from './forget-operations.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);
const { person, rows } = contacts;

it('deletes operations that ended 30 days ago, with the errors of very many contacts', async () => {
  const anna = await person();
  const contact = await contacts.as(anna).contacts.create({});
  const { create, patch, find } = contacts.as(anna).bulkOperations;
  const [old, recent] = [
    await create({ action: 'tag', tags: 'X', contact_ids: [contact.id] }),
    await create({ action: 'tag', tags: 'X', contact_ids: [contact.id] }),
  ];
  for (const { id } of [old, recent]) await patch({ id, status: 'Canceled' });
  await rows(
    `insert into bulk_operation_errors (bulk_operation_id, id, message, errors, created_at)
     select $1::int, n, 'x', '{}', now() from generate_series(1, 12000) n`,
    [old.id],
  );
  await refuseMany(rows, ['bulk_operation_errors']);
  await rows("update bulk_operations set ended_at = now() - interval '31 days' where id = $1", [old.id]);
  await forgetOperations(contacts.database.query);
  expect((await find({})).data.map(({ id }) => id)).toEqual([recent.id]);
});
