import { someone } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

it('a contact can be removed from a static list concurrently, and is removed once', async () => {
  const anna = contacts.as(someone());
  const { id: static_list_id } = await anna.staticLists.create({ list_name: 'Spring' });
  const { id: contact_id } = await anna.contacts.create({});
  await anna.staticListContacts.add({ static_list_id, contacts_list: [contact_id] });
  const removals = await Promise.allSettled(
    Array.from({ length: 4 }, () => anna.staticListContacts.remove({ static_list_id, contact_id })),
  );
  expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(removals.filter(({ status }) => status === 'rejected')).toMatchObject(
    Array.from({ length: 3 }, () => ({ reason: { name: 'NotFound' } })),
  );
  const reductions = (await contacts.published()).filter(({ type }) => type.endsWith('static-list.reduced'));
  expect(reductions).toMatchObject([
    { aggregateversion: 3, data: { static_list_id, contact_ids: [contact_id] } },
  ]);
});

it('a contact that is hidden from the owner of a static list is not removed from it', async () => {
  const user = someone();
  const [anna, owner] = [contacts.as(user), contacts.as({ ...someone(), teammate_ids: [user.id] })];
  const { id: static_list_id } = await anna.staticLists.create({ list_name: 'Fall' });
  const { id: contact_id } = await owner.contacts.create({ assigned_user_id: user.id });
  await anna.staticListContacts.add({ static_list_id, contacts_list: [contact_id] });
  await owner.contacts.patch({ id: contact_id, assigned_user_id: null });
  await expect(anna.staticListContacts.remove({ static_list_id, contact_id })).rejects.toMatchObject({
    name: 'NotFound',
  });
  await owner.contacts.patch({ id: contact_id, assigned_user_id: user.id });
  expect(await anna.staticListContacts.find({ static_list_id })).toMatchObject({ total: 1 });
});
