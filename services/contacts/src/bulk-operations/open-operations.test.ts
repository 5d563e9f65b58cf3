import { untilWaiting } from '@crm/testing';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { contactsWithIdentity } from '../../test/with-identity.ts';

const contacts = await contactsWithIdentity();
afterAll(contacts.close);

it('at most 20 bulk operations of a user wait, also if several are asked for at once', async () => {
  const anna = await contacts.person();
  const { id } = await contacts.as(anna).contacts.create({});
  const ask = () => contacts.as(anna).bulkOperations.create({ action: 'tag', tags: 'X', contact_ids: [id] });
  for (let n = 0; n < 19; n++) await ask();
  const holder = await contacts.database.pool.connect();
  onTestFinished(() => holder.release(true));
  // None of those that are asked for now can be added before all have looked for others.
  await holder.query('begin; lock table bulk_operations in share mode');
  const asked = [ask(), ask(), ask()];
  const outcomes = Promise.allSettled(asked);
  await untilWaiting(contacts.rows, asked);
  await holder.query('rollback');
  const statuses = (await outcomes).map(({ status }) => status);
  expect(statuses.sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
});
