import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { forgetRemoved } from '../forget-removed.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const publishedAbout = async (id: number) =>
  (await contacts.published())
    .filter((event) => event.data.static_list_id === id)
    .map(({ type, aggregateversion, data }) => ({ type, aggregateversion, data }));

describe('a static list', () => {
  it('belongs to the user who created it, and keeps its name', async () => {
    const anna = someone();
    const { staticLists } = contacts.as(anna);
    const made = await staticLists.create({ list_name: 'Spring', ...{ owner_user_id: 1, id: 77 } });
    expect(made).toMatchObject({ list_name: 'Spring', owner_user_id: anna.id, has_custom_audience: 0 });
    expect(await staticLists.get({ id: made.id })).toEqual(made);
    expect(await staticLists.find({ list_name: 'Spring' })).toMatchObject({ total: 1, data: [made] });
    expect(Object.keys(staticLists)).not.toContain('patch');
  });

  it.each([[undefined], [null], [''], [{}], ['x'.repeat(256)]])(
    'cannot be created with the name %j',
    async (name) => {
      const { staticLists } = contacts.as(someone());
      const made = staticLists.create({ list_name: name as string });
      await expect(made).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { list_name: expect.any(String) },
      });
      expect(await staticLists.find({})).toMatchObject({ total: 0 });
    },
  );

  it('has a name of up to 255 characters, whatever their size', async () => {
    const list_name = '🏡'.repeat(255);
    expect(await contacts.as(someone()).staticLists.create({ list_name })).toMatchObject({ list_name });
  });

  it('is visible to its owner only: not to teammates, sub-accounts or the broker', async () => {
    const broker = someone();
    const { id } = await contacts.as(broker).staticLists.create({ list_name: 'Spring' });
    const contact = await contacts.as(broker).contacts.create({});
    const others = [
      someone(),
      teammateOf(broker),
      someone({ sharing_teammate_ids: [broker.id] }),
      agentOf(broker, { is_contact_ownership_enabled: true }),
      someone({ is_broker: true, sub_account_user_ids: [broker.id] }),
    ];
    for (const other of others) {
      const { staticLists, staticListContacts } = contacts.as(other);
      expect(await staticLists.find({})).toMatchObject({ total: 0, data: [] });
      const tries = [
        () => staticLists.get({ id }),
        () => staticLists.remove({ id }),
        () => staticListContacts.find({ static_list_id: id }),
        () => staticListContacts.add({ static_list_id: id, contacts_list: [contact.id] }),
      ];
      for (const attempt of tries) {
        await expect(attempt()).rejects.toMatchObject({
          name: 'NotFound',
          message: `No record found for id '${id}'`,
        });
      }
    }
    expect(await contacts.rows('select from static_list_contacts where static_list_id = $1', [id])).toEqual(
      [],
    );
    expect(await contacts.as(broker).staticLists.get({ id })).toMatchObject({ id });
  });

  it('does not remove its contacts when it is removed', async () => {
    const anna = contacts.as(someone());
    const { id } = await anna.contacts.create({});
    const list = await anna.staticLists.create({ list_name: 'Spring' });
    await anna.staticListContacts.add({ static_list_id: list.id, contacts_list: [id] });

    const removed = { id: list.id, list_name: 'Spring' };
    expect(await anna.staticLists.remove({ id: list.id })).toMatchObject(removed);
    await expect(anna.staticLists.get({ id: list.id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await anna.contacts.get({ id })).toMatchObject({ id });
    await forgetRemoved(contacts.database.query);
    expect(await contacts.rows('select from static_list_contacts where contact_id = $1', [id])).toEqual([]);
  });

  it('publishes events with increasing versions, which contain only ids', async () => {
    const anna = someone();
    const { staticLists, staticListContacts, contacts: api } = contacts.as(anna);
    const ids = [(await api.create({})).id, (await api.create({})).id];
    const { id } = await staticLists.create({ list_name: 'Spring' });
    await staticListContacts.add({ static_list_id: id, contacts_list: ids });
    await staticListContacts.add({ static_list_id: id, contacts_list: ids });
    await staticLists.remove({ id });

    const data = { static_list_id: id, owner_user_id: anna.id };
    expect(await publishedAbout(id)).toEqual([
      { type: 'crm.contacts.static-list.created', aggregateversion: 1, data },
      {
        type: 'crm.contacts.static-list.extended',
        aggregateversion: 2,
        data: { ...data, contact_ids: ids },
      },
      { type: 'crm.contacts.static-list.removed', aggregateversion: 3, data },
    ]);
  });
});

describe('the contacts of a static list', () => {
  const withList = async (user = someone()) => {
    const client = contacts.as(user);
    const list = await client.staticLists.create({ list_name: 'Spring' });
    return { ...client, user, list, static_list_id: list.id };
  };

  it('are shown with the plain fields of a contact', async () => {
    const { static_list_id, ...anna } = await withList();
    const made = await anna.contacts.create({
      first_name: 'Bill',
      tags: 'Buyer, Landlord',
      addresses: [{ city: 'Reno' }],
    });
    await anna.staticListContacts.add({ static_list_id, contacts_list: [made.id] });

    const { addresses: _a, hotness: _h, custom_fields: _c, source: _s, ...flat } = made;
    expect(await anna.staticListContacts.find({ static_list_id })).toEqual({
      total: 1,
      limit: 10,
      skip: 0,
      data: [flat],
    });
  });

  it('are paged, sorted and filtered like all contacts', async () => {
    const { static_list_id, ...anna } = await withList();
    const ids = [];
    for (const first_name of ['Ann', 'Bob', 'Cleo', 'Dan']) {
      ids.push((await anna.contacts.create({ first_name, email: `${first_name}@Example.com` })).id);
    }
    await anna.staticListContacts.add({ static_list_id, contacts_list: ids });
    const other = await anna.contacts.create({ first_name: 'On another', email: 'bob@example.com' });
    const another = await anna.staticLists.create({ list_name: 'Autumn' });
    await anna.staticListContacts.add({ static_list_id: another.id, contacts_list: [other.id] });

    const find = (query: object) => anna.staticListContacts.find({ static_list_id, ...query });
    expect(await find({ $sort: { first_name: -1 }, $limit: 2, $skip: 1 })).toMatchObject({
      total: 4,
      limit: 2,
      skip: 1,
      data: [{ first_name: 'Cleo' }, { first_name: 'Bob' }],
    });
    expect(await find({ email: 'bob@EXAMPLE.com' })).toMatchObject({ total: 1, data: [{ id: ids[1] }] });
    expect(await find({ first_name: { $like: '%o%' }, $select: ['first_name'] })).toMatchObject({
      total: 2,
      data: [
        { id: ids[1], first_name: 'Bob' },
        { id: ids[2], first_name: 'Cleo' },
      ],
    });
    await expect(find({ hotness: 'Hot' })).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it('are returned as one membership for one id, and as a list for several', async () => {
    const { static_list_id, ...anna } = await withList();
    const ids = [(await anna.contacts.create({})).id, (await anna.contacts.create({})).id] as const;
    const member = (contact_id: number) => ({ contact_list_id: static_list_id, contact_id });
    const add = (contacts_list: (number | string)[]) =>
      anna.staticListContacts.add({ static_list_id, contacts_list });

    expect(await add([ids[0]])).toEqual(member(ids[0]));
    expect(await add([String(ids[1]), ids[0]])).toEqual([member(ids[1]), member(ids[0])]);
    expect(await add([ids[0]])).toEqual(member(ids[0]));
    expect(await add([ids[1], ids[1]])).toEqual([member(ids[1]), member(ids[1])]);
    expect(await anna.staticListContacts.find({ static_list_id })).toMatchObject({ total: 2 });
  });

  // Different errors would reveal which ids of other users exist.
  it('are all rejected if one is unknown or hidden, and the error names each', async () => {
    const { static_list_id, ...anna } = await withList();
    const own = (await anna.contacts.create({})).id;
    const foreign = (await contacts.as(someone()).contacts.create({})).id;

    const add = (contacts_list: number[]) => anna.staticListContacts.add({ static_list_id, contacts_list });
    await expect(add([own, foreign])).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { contacts_list: `'${foreign}' does not exist` },
    });
    await expect(add([999_999, own, foreign])).rejects.toMatchObject({
      errors: { contacts_list: `'999999', '${foreign}' do not exist` },
    });
    expect(await anna.staticListContacts.find({ static_list_id })).toMatchObject({ total: 0 });
    expect(await publishedAbout(static_list_id)).toHaveLength(1);
  });

  it.each([
    [undefined, 'contacts_list', 'is required'],
    [null, 'contacts_list', 'must be a list of contact ids'],
    [[], 'contacts_list', 'must contain at least one id'],
    ['7', 'contacts_list', 'must be a list of contact ids'],
    [{ 0: 7 }, 'contacts_list', 'must be a list of contact ids'],
    [Array(1001).fill(7), 'contacts_list', 'must have at most 1000 ids'],
    [['x'], 'contacts_list.0', 'must be the id of a record'],
    [[0], 'contacts_list.0', expect.any(String)],
    [[7, null], 'contacts_list.1', 'must be the id of a record'],
    [[7, [7]], 'contacts_list.1', 'must be the id of a record'],
  ])('are rejected when they are invalid: %j', async (list, field, message) => {
    const { static_list_id, staticListContacts } = await withList();
    await expect(
      staticListContacts.add({ static_list_id, contacts_list: list as number[] }),
    ).rejects.toMatchObject({ name: 'BadRequest', errors: { [field]: message } });
  });

  it('can be 1000 at once', async () => {
    const { static_list_id, ...anna } = await withList();
    const rows = await contacts.rows(
      `insert into contacts (owner_user_id, created_at, modified_at)
       select $1, now(), now() from generate_series(1, 1000) returning id`,
      [anna.user.id],
    );
    const contacts_list = rows.map(({ id }) => Number(id));
    expect(await anna.staticListContacts.add({ static_list_id, contacts_list })).toHaveLength(1000);
    expect(await anna.staticListContacts.find({ static_list_id, $limit: 0 })).toMatchObject({ total: 1000 });
  });

  it('may be those of others, as long as the owner of the list sees them', async () => {
    const anna = someone();
    const ben = teammateOf(anna);
    const { id } = await contacts.as(ben).contacts.create({ assigned_user_id: anna.id });
    const { id: kept } = await contacts.as(anna).contacts.create({});
    const { static_list_id, staticListContacts } = await withList(anna);
    await staticListContacts.add({ static_list_id, contacts_list: [id, kept] });
    expect(await staticListContacts.find({ static_list_id })).toMatchObject({ total: 2 });

    await contacts.as(ben).contacts.patch({ id, assigned_user_id: null });
    expect(await staticListContacts.find({ static_list_id })).toMatchObject({
      total: 1,
      data: [{ id: kept }],
    });
    await contacts.as(ben).contacts.patch({ id, assigned_user_id: anna.id });
    expect(await staticListContacts.find({ static_list_id })).toMatchObject({ total: 2 });
  });

  it('may be those of the broker and of sharing teammates', async () => {
    const [broker, ben] = [someone(), someone()];
    const agent = {
      ...agentOf(broker, { is_contact_ownership_enabled: true }),
      sharing_teammate_ids: [ben.id],
    };
    const ids = [];
    for (const owner of [broker, ben]) ids.push((await contacts.as(owner).contacts.create({})).id);
    const { static_list_id, staticListContacts } = await withList(agent);
    await staticListContacts.add({ static_list_id, contacts_list: ids });
    expect(await staticListContacts.find({ static_list_id })).toMatchObject({ total: 2 });
    const alone = contacts.as({ ...agent, broker: null, sharing_teammate_ids: [] });
    expect(await alone.staticListContacts.find({ static_list_id })).toMatchObject({ total: 0, data: [] });
  });

  it('disappear from it when they are removed', async () => {
    const { static_list_id, ...anna } = await withList();
    const { id } = await anna.contacts.create({});
    await anna.staticListContacts.add({ static_list_id, contacts_list: [id] });
    await anna.contacts.remove({ id });
    expect(await anna.staticListContacts.find({ static_list_id })).toMatchObject({ total: 0 });
    expect(await contacts.rows('select from static_list_contacts where contact_id = $1', [id])).toEqual([]);
  });

  it('can be added concurrently, each time with a new version', async () => {
    const { static_list_id, ...anna } = await withList();
    const ids: number[] = [];
    for (let n = 0; n < 8; n++) ids.push((await anna.contacts.create({})).id);
    await Promise.all(
      ids.map((id) => anna.staticListContacts.add({ static_list_id, contacts_list: [id, ids[0] ?? id] })),
    );
    expect(await anna.staticListContacts.find({ static_list_id })).toMatchObject({ total: 8 });
    const extensions = (await publishedAbout(static_list_id)).filter(({ type }) => type.endsWith('extended'));
    const versions = extensions.map(({ aggregateversion }) => aggregateversion);
    expect(versions).toEqual(extensions.map((_, index) => index + 2));
    const added = extensions.flatMap(({ data }) => data.contact_ids as number[]);
    expect(added.sort((a, b) => a - b)).toEqual(ids);
  });

  // Without the lock a contact could be removed between the check and the insert.
  it('are either added or rejected when they are removed concurrently', async () => {
    const { static_list_id, ...anna } = await withList();
    for (let n = 0; n < 20; n++) {
      const { id } = await anna.contacts.create({});
      const [adding, removing] = await Promise.allSettled([
        anna.staticListContacts.add({ static_list_id, contacts_list: [id] }),
        anna.contacts.remove({ id }),
      ]);
      expect(removing.status).toBe('fulfilled');
      if (adding.status === 'rejected') expect(adding.reason).toMatchObject({ name: 'BadRequest' });
    }
    expect(await anna.staticListContacts.find({ static_list_id })).toMatchObject({ total: 0 });
  });
});
