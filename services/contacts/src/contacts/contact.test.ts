import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const bill = {
  first_name: 'Bill',
  last_name: 'Ng',
  email: 'Bill.Ng@example.com',
  mobile_phone: '1 (604) 555-4572',
  birthday: '1955-10-28',
  tags: 'Buyer, Landlord',
};

describe('a contact', () => {
  it('belongs to the user who added it, whatever the request contains', async () => {
    const anna = someone();
    const { id } = await contacts.as(anna).contacts.create({ ...bill, ...{ owner_user_id: 1, id: 77 } });
    const rows = await contacts.rows('select id, owner_user_id from contacts where id = $1', [id]);
    expect(rows).toEqual([{ id, owner_user_id: anna.id }]);
    expect(id).not.toBe(77);
  });

  it('is seen by its owner and its assignee, and by nobody else', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { id } = await contacts.as(anna).contacts.create({ ...bill, assigned_user_id: ben.id });

    expect(await contacts.as(anna).contacts.get({ id })).toMatchObject(bill);
    expect(await contacts.as(ben).contacts.get({ id })).toMatchObject(bill);
    expect(await contacts.as(ben).contacts.find({})).toMatchObject({ total: 1, data: [{ id }] });
    const stranger = contacts.as(someone());
    await expect(stranger.contacts.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await stranger.contacts.find({ id })).toMatchObject({ total: 0, data: [] });
  });

  it('may be changed by its assignee, and removed by its owner alone', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { id } = await contacts.as(anna).contacts.create({ ...bill, assigned_user_id: ben.id });

    expect(await contacts.as(ben).contacts.patch({ id, company: 'Ng Ltd' })).toMatchObject({
      company: 'Ng Ltd',
    });
    await expect(contacts.as(ben).contacts.remove({ id })).rejects.toMatchObject({ name: 'Forbidden' });
    await expect(contacts.as(someone()).contacts.remove({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await contacts.as(anna).contacts.remove({ id })).toMatchObject({ id, ...bill });
    await expect(contacts.as(anna).contacts.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('is hidden from its assignee as soon as it is assigned to somebody else', async () => {
    const [ben, cleo] = [someone(), someone()];
    const anna = teammateOf(ben, cleo);
    const { id } = await contacts.as(anna).contacts.create({ assigned_user_id: ben.id });
    await contacts.as(anna).contacts.patch({ id, assigned_user_id: cleo.id });
    await expect(contacts.as(ben).contacts.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await contacts.as(cleo).contacts.get({ id })).toMatchObject({ id });
  });

  it('of a teammate is seen if the team shares contacts, and of the broker if the broker allows it', async () => {
    const [anna, kim] = [someone(), someone()];
    const annas = (await contacts.as(anna).contacts.create(bill)).id;
    const kims = (await contacts.as(kim).contacts.create(bill)).id;
    const sharing = someone({ teammate_ids: [anna.id], sharing_teammate_ids: [anna.id] });
    const keeping = someone({ teammate_ids: [anna.id] });
    const using = agentOf(kim, { is_contact_ownership_enabled: true });
    const apart = agentOf(kim, { is_contact_ownership_enabled: false });

    for (const [user, id] of [
      [sharing, annas],
      [using, kims],
    ] as const) {
      expect(await contacts.as(user).contacts.find({})).toMatchObject({ total: 1, data: [{ id }] });
      expect(await contacts.as(user).contacts.patch({ id, company: 'Ng Ltd' })).toMatchObject({
        company: 'Ng Ltd',
      });
      await expect(contacts.as(user).contacts.remove({ id })).rejects.toMatchObject({ name: 'Forbidden' });
      await expect(contacts.as(user).contacts.patch({ id, assigned_user_id: user.id })).rejects.toMatchObject(
        {
          name: 'Forbidden',
        },
      );
    }
    for (const [user, id] of [
      [keeping, annas],
      [apart, kims],
    ] as const) {
      await expect(contacts.as(user).contacts.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
      expect(await contacts.as(user).contacts.find({})).toMatchObject({ total: 0 });
    }
    const ownOfSub = (await contacts.as(using).contacts.create(bill)).id;
    const broker = { ...kim, is_broker: true, sub_account_user_ids: [using.id] };
    await expect(contacts.as(broker).contacts.get({ id: ownOfSub })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });

  it('cannot be added by sub-accounts whose broker forbids it', async () => {
    const agent = contacts.as(agentOf(someone(), { is_contact_ownership_new_enabled: false }));
    await expect(agent.contacts.create(bill)).rejects.toMatchObject({ name: 'Forbidden' });
  });

  it('is not on any page after the last', async () => {
    const { contacts: api } = contacts.as(someone());
    await api.create(bill);
    expect(await api.find({ $skip: 2147483647, $limit: 1000 })).toEqual({
      total: 1,
      limit: 1000,
      skip: 2147483647,
      data: [],
    });
  });

  it('gets a new version with each change, also with two in the same millisecond', async () => {
    const anna = someone();
    const { contacts: api, addresses } = contacts.as(anna);
    const modified_at = '2018-01-09T12:24:09.000Z';
    const { id } = await api.create({ modified_at });
    await api.patch({ id, tags: 'Buyer', modified_at });
    await api.patch({ id, tags: 'Seller', modified_at });
    await Promise.all([1, 2, 3, 4].map((zip) => addresses.create({ contact_id: id, zip: `9810${zip}` })));
    const versions = (await contacts.published())
      .filter((event) => event.data.contact_id === id)
      .map(({ aggregateversion }) => aggregateversion);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('may be assigned to the user, teammates, the broker and sub-accounts, and to nobody else', async () => {
    const broker = someone();
    const [ben, sub] = [someone(), someone()];
    const anna = { ...agentOf(broker), teammate_ids: [ben.id], sub_account_user_ids: [sub.id] };
    const { contacts: api } = contacts.as(anna);

    for (const { id } of [anna, ben, broker, sub]) {
      expect(await api.create({ assigned_user_id: id })).toMatchObject({ assigned_user_id: id });
    }
    const stranger = someone().id;
    await expect(api.create({ assigned_user_id: stranger })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { assigned_user_id: `'${stranger}' is not a user of your teams` },
    });
  });

  it('shows its hotness, source and addresses, or null or an empty list', async () => {
    const { hotnesses, contactSources, contacts: api, addresses } = contacts.as(someone());
    const hotness = await hotnesses.create({ name: 'Hot', rank: 1, color: '#ff0000' });
    const source = await contactSources.create({ name: 'Zillow' });
    const { id } = await api.create({ hotness_id: hotness.id, source_id: String(source.id) });
    const address = await addresses.create({ contact_id: id, type: 'Home', zip: '64030' });

    expect(await api.get({ id })).toMatchObject({
      hotness: { name: 'Hot', rank: 1, color: '#ff0000' },
      source: { id: source.id, name: 'Zillow', user_id: source.user_id, created_at: source.created_at },
      addresses: [address],
      custom_fields: [],
    });
    const bare = await api.create({});
    expect(bare).toMatchObject({
      hotness: null,
      source: null,
      addresses: [],
      hotness_id: null,
      source_id: null,
    });
  });

  it.each(['hotness_id', 'source_id'] as const)('loses its %s to 0 and to null', async (field) => {
    const { hotnesses, contactSources, contacts: api } = contacts.as(someone());
    const { id: value } = await (field === 'hotness_id'
      ? hotnesses.create({})
      : contactSources.create({ name: 'Web' }));
    for (const none of [0, '0', null]) {
      const { id } = await api.create({ [field]: value });
      expect(await api.patch({ id, [field]: none })).toMatchObject({ [field]: null });
    }
  });

  // Different errors would reveal which ids of other users exist.
  it.each(['hotness_id', 'source_id'] as const)(
    'rejects the %s of a stranger like one that does not exist',
    async (field) => {
      const stranger = contacts.as(someone());
      const made = await (field === 'hotness_id'
        ? stranger.hotnesses.create({})
        : stranger.contactSources.create({ name: 'Web' }));
      const { contacts: api } = contacts.as(someone());
      for (const value of [made.id, 999_999]) {
        await expect(api.create({ [field]: value })).rejects.toMatchObject({
          name: 'BadRequest',
          errors: { [field]: `'${value}' does not exist` },
        });
      }
    },
  );

  it('stores the timestamps that are sent, and otherwise uses the time of the request', async () => {
    const { contacts: api } = contacts.as(someone());
    const sent = { created_at: '2016-07-01T12:12:11.000Z', modified_at: '2018-01-09T12:24:09.000Z' };
    const { id } = await api.create(sent);
    expect(await api.get({ id })).toMatchObject(sent);

    const touched = await api.patch({ id, company: 'Ng Ltd' });
    expect(touched.created_at).toBe(sent.created_at);
    expect(touched.modified_at > '2026').toBe(true);
    await expect(api.patch({ id, created_at: '2018-02-30T00:00:00Z' })).rejects.toMatchObject({
      errors: { created_at: expect.stringContaining('must be a date and time') },
    });
  });

  it('is found by its e-mail address however it is typed, and by any one of its tags', async () => {
    const { contacts: api } = contacts.as(someone());
    const { id } = await api.create(bill);
    await api.create({ email: 'other@example.com', tags: 'Seller' });

    for (const email of ['bill.ng@example.com', 'BILL.NG@EXAMPLE.COM']) {
      expect(await api.find({ email })).toMatchObject({ total: 1, data: [{ id, email: bill.email }] });
    }
    for (const tags of ['Buyer', 'Landlord', 'Buyer, Landlord']) {
      expect(await api.find({ tags })).toMatchObject({ total: 1, data: [{ id }] });
    }
    expect(await api.find({ tags: 'buyer' })).toMatchObject({ total: 0 });
    expect(await api.find({ tags: { $ne: 'Buyer' } })).toMatchObject({
      total: 1,
      data: [{ tags: 'Seller' }],
    });
  });

  it('is written together with addresses, those with an id being changed', async () => {
    const { contacts: api, addresses } = contacts.as(someone());
    const made = await api.create({ addresses: [{ city: 'Kansas City' }, { city: 'Vancouver' }] });
    const [first, second] = made.addresses;
    expect(made.addresses).toMatchObject([{ city: 'Kansas City' }, { city: 'Vancouver' }]);

    const changed = await api.patch({
      id: made.id,
      addresses: [{ id: first?.id ?? 0, state: 'Missouri' }, { city: 'Reno' }],
    });
    expect(changed.addresses).toMatchObject([
      { id: first?.id, city: 'Kansas City', state: 'Missouri' },
      { id: second?.id, city: 'Vancouver' },
      { city: 'Reno' },
    ]);
    const other = await api.create({});
    await expect(
      api.patch({ id: other.id, company: 'Lost', addresses: [{ id: first?.id ?? 0 }] }),
    ).rejects.toMatchObject({ errors: { 'addresses.0.id': expect.any(String) } });
    expect(await api.get({ id: other.id })).toMatchObject({ company: null });
    expect(await addresses.find({ contact_id: made.id })).toMatchObject({ total: 3 });
  });

  it('is returned with an address that a change adds', async () => {
    const { contacts: api } = contacts.as(someone());
    const { id } = await api.create({ addresses: [{ city: 'Reno' }] });
    const changed = await api.patch({ id, addresses: [{ city: 'Elko' }] });
    expect(changed.addresses).toMatchObject([{ city: 'Reno' }, { city: 'Elko' }]);
    expect((await api.get({ id })).addresses).toEqual(changed.addresses);
  });

  it('is removed with its addresses', async () => {
    const { contacts: api } = contacts.as(someone());
    const { id } = await api.create({ addresses: [{ city: 'Reno' }] });
    await api.remove({ id });
    expect(await contacts.rows('select from addresses where contact_id = $1', [id])).toHaveLength(0);
  });

  it('publishes events without personal data', async () => {
    const anna = someone();
    const { contacts: api, addresses } = contacts.as(anna);
    const { id } = await api.create(bill);
    await api.patch({ id, company: 'Ng Ltd' });
    await addresses.create({ contact_id: id, city: 'Reno' });
    await api.remove({ id });

    const data = { contact_id: id, owner_user_id: anna.id, assigned_user_id: null };
    const events = (await contacts.published()).filter((event) => event.data.contact_id === id);
    expect(events.map(({ type, aggregateversion, data }) => ({ type, aggregateversion, data }))).toEqual([
      { type: 'crm.contacts.contact.created', aggregateversion: 1, data },
      { type: 'crm.contacts.contact.changed', aggregateversion: 2, data: { ...data, fields: ['company'] } },
      { type: 'crm.contacts.contact.changed', aggregateversion: 3, data: { ...data, fields: ['addresses'] } },
      { type: 'crm.contacts.contact.removed', aggregateversion: 4, data },
    ]);
  });
});
