import { someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

describe('the history of a contact', () => {
  it('tells who did what to it, newest first, and nothing of other contacts', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { contacts: api, shares, contactHistory } = contacts.as(anna);
    const { id: contact_id } = await api.create({ first_name: 'Bill' });
    await api.create({ first_name: 'Carla' });
    await api.patch({ id: contact_id, company: 'Ng' });
    await shares.create({ contact_id, user_id: ben.id });
    await contacts.as(ben).contacts.patch({ id: contact_id, company: 'Oh' });

    const { total, data } = await contactHistory.find({ contact_id });
    expect(data.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['contacts.patch', ben.id],
      ['shares.create', anna.id],
      ['contacts.patch', anna.id],
      ['contacts.create', anna.id],
    ]);
    expect(total).toBe(4);
    const asked = { contact_id, action: 'contacts.patch', user_id: anna.id };
    expect(await contactHistory.find(asked)).toMatchObject({ total: 1 });
  });

  it('does not tell from where and with which token somebody did it', async () => {
    const { contacts: api, contactHistory } = contacts.as(someone());
    const { id: contact_id } = await api.create({ first_name: 'Bill' });
    const [created] = (await contactHistory.find({ contact_id })).data;
    expect(Object.keys(created ?? {}).sort()).toEqual(
      ['id', 'created_at', 'action', 'actor_type', 'user_id', 'act_user_id', 'request_id'].sort(),
    );
  });

  it('names the broker who acted for the user', async () => {
    const broker = someone();
    const anna = someone({ act: { id: broker.id, delegation_id: 1 } });
    const { contacts: api, contactHistory } = contacts.as(anna);
    const { id: contact_id } = await api.create({ first_name: 'Bill' });
    expect((await contactHistory.find({ contact_id })).data).toMatchObject([
      { actor_type: 'broker', user_id: anna.id, act_user_id: broker.id },
    ]);
  });

  it('is seen only by those who see the contact', async () => {
    const { id: contact_id } = await contacts.as(someone()).contacts.create({ first_name: 'Bill' });
    await expect(contacts.as(someone()).contactHistory.find({ contact_id })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });
});
