import { absent } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import type { Answer, Api, Json } from './system/api.ts';
import { join, made, ok } from './system/made.ts';
import { shapesFor, startSystem } from './system.ts';

describe.each(shapesFor(import.meta))('%s: contacts', async (shape) => {
  const system = await startSystem(shape);
  afterAll(system.stop);

  const add = (api: Api, path: string, draft: Json) => made({ api }, path, draft);
  async function addWithReferences(api: Api) {
    const hotness = await add(api, '/hotnesses', { name: 'Hot' });
    const source = await add(api, '/contact-sources', { name: 'Zillow' });
    const { id } = await add(api, '/contacts', { hotness_id: hotness.id, source_id: source.id });
    return { id, hotness, source };
  }
  const expectErrors = ({ status, body }: Answer, errors: Json) =>
    expect({ status, errors: body.errors }).toEqual({ status: 400, errors });
  const idsOf = async (api: Api, query: string) =>
    (await api.list(`/contacts?${query}`)).data.map(({ id }) => id);

  it('are found by e-mail address regardless of case', async () => {
    const { api } = await system.person();
    const { id } = await add(api, '/contacts', { email: 'Ada.Byron@Example.com', spouse_email: 'X@B.com' });
    await add(api, '/contacts', { email: 'ada.byron@example.org' });
    for (const email of ['ada.byron@example.com', 'ADA.BYRON@EXAMPLE.COM', 'Ada.Byron@Example.com']) {
      expect(await idsOf(api, `email=${email}`)).toEqual([id]);
      expect(await idsOf(api, `email[$in]=${email}&email[$in]=x&spouse_email=x@b.com`)).toEqual([id]);
      expect(await idsOf(api, `email[$ne]=${email}`)).not.toContain(id);
    }
    expect((await api.get(`/contacts/${id}`)).body.email).toBe('Ada.Byron@Example.com');
  });

  it('are found by all of their tags or by any one of them', async () => {
    const { api } = await system.person();
    const both = await add(api, '/contacts', { tags: 'Buyer, Potential Landlord' });
    const one = await add(api, '/contacts', { tags: 'Buyer' });
    await add(api, '/contacts', { tags: 'Buyers' });
    expect(await idsOf(api, 'tags=Buyer')).toEqual([both.id, one.id]);
    expect(await idsOf(api, 'tags=Potential%20Landlord')).toEqual([both.id]);
    expect(await idsOf(api, 'tags=Buyer,%20Potential%20Landlord')).toEqual([both.id]);
    expect(await idsOf(api, 'tags=Landlord')).toEqual([]);
    expect(await idsOf(api, 'tags=Potential%20Landlord&tags=Buyers&tags[$ne]=Buyer')).toHaveLength(1);
  });

  it('include their hotness, source and addresses', async () => {
    const { api, id: owner } = await system.person();
    const hotness = await add(api, '/hotnesses', { name: 'Hot', rank: 1, color: '#3b274c' });
    const source = await add(api, '/contact-sources', { name: 'Zillow' });
    const addresses = [{ type: 'Home', city: 'Kansas City' }, { zip: 'V6J 4Z3' }];
    const draft = { first_name: 'Bill', hotness_id: hotness.id, source_id: source.id, addresses };
    const contact = await add(api, '/contacts', draft);
    expect(contact).toMatchObject({
      owner_user_id: owner,
      hotness: { name: 'Hot', rank: 1, color: '#3b274c' },
      source: { id: source.id, name: 'Zillow', user_id: owner, created_at: source.created_at },
      addresses,
      custom_fields: [],
    });
    expect(Object.keys(contact.hotness as Json)).toEqual(['name', 'rank', 'color']);
    expect((await api.list(`/contacts?id=${contact.id}`)).data).toEqual([contact]);
  });

  it.each([0, '0', null])('lose their hotness and source with %j', async (none) => {
    const { api } = await system.person();
    const { id } = await addWithReferences(api);
    const { body } = await api.patch(`/contacts/${id}`, { hotness_id: none, source_id: none });
    expect(body).toMatchObject({ hotness_id: null, hotness: null, source_id: null, source: null });
  });

  it('lose a hotness and a source that are removed', async () => {
    const { api } = await system.person();
    const { id, hotness, source } = await addWithReferences(api);
    await api.delete(`/hotnesses/${hotness.id}`);
    await api.delete(`/contact-sources/${source.id}`);
    const expected = { hotness_id: null, hotness: null, source_id: null, source: null };
    expect((await api.get(`/contacts/${id}`)).body).toMatchObject(expected);
  });

  it('keep the timestamps that they are given, or get those of the clock', async () => {
    const { api } = await system.person();
    const given = { created_at: '2016-07-01T12:12:11.000Z', modified_at: '2018-01-09T12:24:09.000Z' };
    const { id, ...contact } = await add(api, '/contacts', given);
    expect(contact).toMatchObject(given);

    const began = Date.now();
    const { body } = await api.patch(`/contacts/${id}`, { first_name: 'Bill' });
    expect(body.created_at).toBe(given.created_at);
    expect(Date.parse(String(body.modified_at))).toBeGreaterThanOrEqual(began - 1);
    const touched = await api.patch(`/contacts/${id}`, { modified_at: '2020-02-29T00:00:00Z' });
    expect(touched.body).toMatchObject({ first_name: 'Bill', modified_at: '2020-02-29T00:00:00.000Z' });
    expect(await idsOf(api, 'modified_at=2020-02-29')).toEqual([id]);
    expect(await idsOf(api, 'created_at[$gte]=2016-07-01&created_at[$lt]=2016-07-02')).toEqual([id]);
  });

  it('accept addresses in their body, and change those with an id', async () => {
    const { api } = await system.person();
    const draft = { addresses: [{ city: 'Oslo' }, { city: 'Rome' }] };
    const { id, ...contact } = await add(api, '/contacts', draft);
    const [oslo, rome] = contact.addresses as readonly Json[];
    const path = `/contacts/${id}`;
    const { body } = await api.patch(path, { addresses: [{ id: oslo?.id, zip: '0150' }, { city: 'Bern' }] });
    expect(body.addresses).toMatchObject([
      { id: oslo?.id, city: 'Oslo', zip: '0150' },
      { id: rome?.id, city: 'Rome' },
      { city: 'Bern' },
    ]);
    expect((await api.list(`${path}/addresses`)).data).toEqual(body.addresses);
    expect((await api.get(path)).body.addresses).toEqual(body.addresses);
  });

  it('reject an address of another contact without any change', async () => {
    const [{ api }, stranger] = [await system.person(), await system.person()];
    const foreign = await add(stranger.api, '/contacts', { addresses: [{ city: 'Oslo' }] });
    const [address] = foreign.addresses as readonly Json[];
    const other = await add(api, '/contacts', { addresses: [{ city: 'Bern' }] });
    const [own] = other.addresses as readonly Json[];
    const { id } = await add(api, '/contacts', { first_name: 'Bill' });
    const before = await system.contents();
    for (const wrong of [address?.id, own?.id, absent]) {
      const draft = { first_name: 'Will', addresses: [{ city: 'Rome' }, { id: wrong, city: 'Rome' }] };
      const errors = { 'addresses.1.id': `'${wrong}' does not exist` };
      expectErrors(await api.patch(`/contacts/${id}`, draft), errors);
      expectErrors(await api.post('/contacts', draft), errors);
    }
    expect(await system.contents()).toEqual(before);
  });

  it('report an invalid address by its index', async () => {
    const { api } = await system.person();
    const addresses = [{ city: 'Oslo' }, { type: 'home' }, { zip: 'x'.repeat(46) }];
    const { status, body } = await api.post('/contacts', { addresses });
    expect(status).toBe(400);
    expect(Object.keys(body.errors as Json)).toEqual(['addresses.1.type', 'addresses.2.zip']);
  });

  it('have a value or null for each custom field, and keep those that a change leaves out', async () => {
    const { api } = await system.person();
    const later = await add(api, '/custom-fields', { name: 'Budget', data_type: 'Number', rank: 2 });
    const first = await add(api, '/custom-fields', { name: 'Pet', data_type: 'Text', rank: 1 });
    const shown = (pet: unknown, budget: unknown) => [
      { ...first, value: pet },
      { ...later, value: budget },
    ];
    const { id, ...contact } = await add(api, '/contacts', {
      custom_fields: [{ id: first.id, value: 'Cat' }],
    });
    expect(contact.custom_fields).toEqual(shown('Cat', null));
    const path = `/contacts/${id}`;
    for (const [custom_fields, expected] of [
      [[{ id: String(later.id), value: 5 }], shown('Cat', '5')],
      [shown('Dog', '5'), shown('Dog', '5')],
      [[{ id: first.id, value: null }], shown(null, '5')],
      [[], shown(null, '5')],
    ]) {
      expect((await api.patch(path, { custom_fields })).body.custom_fields).toEqual(expected);
      expect((await api.get(path)).body.custom_fields).toEqual(expected);
      expect((await api.list('/contacts')).data).toMatchObject([{ id, custom_fields: expected }]);
    }
    await api.delete(`/custom-fields/${later.id}`);
    expect((await api.get(path)).body.custom_fields).toEqual([{ ...first, value: null }]);
  });

  it('report a custom field of another user by its index, without any change', async () => {
    const [{ api }, stranger] = [await system.person(), await system.person()];
    const draft = { name: 'Pet', data_type: 'Text' };
    const own = await add(api, '/custom-fields', draft);
    const foreign = await add(stranger.api, '/custom-fields', draft);
    const { id } = await add(api, '/contacts', { first_name: 'Bill' });
    const before = await system.contents();
    for (const wrong of [foreign.id, absent]) {
      const values = [own.id, wrong].map((field) => ({ id: field, value: 'Cat' }));
      const change = { first_name: 'Will', custom_fields: values };
      const errors = { 'custom_fields.1.id': `'${wrong}' does not exist` };
      expectErrors(await api.patch(`/contacts/${id}`, change), errors);
      expectErrors(await api.post('/contacts', change), errors);
    }
    expect(await system.contents()).toEqual(before);
  });

  it('are removed with their addresses', async () => {
    const { api } = await system.person();
    const contact = await add(api, '/contacts', { addresses: [{ city: 'Oslo' }] });
    await add(api, `/contacts/${contact.id}/addresses`, { city: 'Rome' });
    const left = () => system.rows('contacts', 'select from addresses where contact_id = $1', [contact.id]);
    expect(await left()).toHaveLength(2);
    expect((await api.delete(`/contacts/${contact.id}`)).body.addresses).toHaveLength(2);
    expect(await left()).toHaveLength(0);
    expect((await api.get(`/contacts/${contact.id}/addresses`)).status).toBe(404);
  });

  it('are marked as modified by a change of their addresses', async () => {
    const { api } = await system.person();
    const { id } = await add(api, '/contacts', { modified_at: '2020-01-01T00:00:00Z' });
    const address = await add(api, `/contacts/${id}/addresses`, { city: 'Oslo' });
    const { body } = await api.get(`/contacts/${id}`);
    expect(body).toMatchObject({ addresses: [address] });
    expect(body.modified_at).not.toBe('2020-01-01T00:00:00.000Z');
  });

  it('are visible to the assigned user, who may change but not remove them', async () => {
    const [owner, assignee] = [await system.person(), await system.person()];
    const { id } = await add(owner.api, '/contacts', { first_name: 'Bill' });
    const sharing = { is_contact_resource_sharing_enabled: false };
    await join(system, (await add(owner.api, '/teams', { name: 'North', ...sharing })).id, assignee);
    await ok(owner.api.patch(`/contacts/${id}`, { assigned_user_id: assignee.id }));
    expect((await assignee.api.list('/contacts')).data).toMatchObject([{ id }]);
    expect((await assignee.api.patch(`/contacts/${id}`, { company: 'Acme' })).status).toBe(200);
    expect((await assignee.api.delete(`/contacts/${id}`)).status).toBe(403);
    expect((await owner.api.get(`/contacts/${id}`)).body).toMatchObject({ id, company: 'Acme' });
  });

  it('have the default sources as soon as their owner has an account', async () => {
    const { api, id } = await system.person();
    const names = ['Zillow', 'Trulia', 'Realtor.com', 'Facebook', 'Website', 'Referral'];
    const { data } = await api.list('/contact-sources?$sort[id]=1');
    expect(data.map(({ name }) => name)).toEqual(names);
    expect(new Set(data.map(({ user_id }) => user_id))).toEqual(new Set([id]));
    const [zillow] = (await api.list('/contact-sources?name=Zillow')).data;
    expect((await api.post('/contacts', { source_id: zillow?.id })).body.source).toMatchObject({
      name: 'Zillow',
    });
  });

  it('are never stale for the user who wrote them', async () => {
    const { api } = await system.person();
    const rounds = 100;
    let stale = 0;
    const follow = async (round: number) => {
      const { id } = await add(api, '/contacts', { first_name: `first ${round}`, tags: `tag ${round}` });
      const read = await api.get(`/contacts/${id}`);
      if (read.body.first_name !== `first ${round}`) stale += 1;
      const found = await api.list(`/contacts?tags=tag%20${round}`);
      if (found.total !== 1 || found.data[0]?.id !== id) stale += 1;
      await api.patch(`/contacts/${id}`, { first_name: `second ${round}` });
      if ((await api.get(`/contacts/${id}`)).body.first_name !== `second ${round}`) stale += 1;
      await api.delete(`/contacts/${id}`);
      if ((await api.get(`/contacts/${id}`)).status !== 404) stale += 1;
    };
    const next = Iterator.from(Array.from({ length: rounds }, (_, round) => round).values());
    const lane = async () => {
      for (const round of next) await follow(round);
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    expect(stale).toBe(0);
  });

  it('keep both of two concurrent changes to different fields', async () => {
    const { api } = await system.person();
    for (let round = 0; round < 20; round++) {
      const { id } = await add(api, '/contacts', {});
      const path = `/contacts/${id}`;
      const answers = await Promise.all([
        api.patch(path, { first_name: 'Bill' }),
        api.patch(path, { last_name: 'Ward' }),
        api.post(`${path}/addresses`, { city: 'Oslo' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 201]);
      const kept = { first_name: 'Bill', last_name: 'Ward', addresses: [{ city: 'Oslo' }] };
      expect((await api.get(path)).body).toMatchObject(kept);
    }
  });

  it('cannot get a hotness that is removed at the same time', async () => {
    const { api } = await system.person();
    for (let round = 0; round < 20; round++) {
      const hotness = await add(api, '/hotnesses', { name: 'Hot' });
      const [created, removed] = await Promise.all([
        api.post('/contacts', { hotness_id: hotness.id }),
        api.delete(`/hotnesses/${hotness.id}`),
      ]);
      expect([201, 400]).toContain(created.status);
      expect(removed.status).toBe(200);
      if (created.status !== 201) continue;
      expect((await api.get(`/contacts/${created.body.id}`)).body.hotness_id).toBeNull();
    }
  });

  it('publish events that refer to people only by id', async () => {
    const { api, id: owner } = await system.person();
    const canary = 'Zebedee-Canary';
    const { id } = await add(api, '/contacts', { first_name: canary, email: `${canary}@example.com` });
    await api.patch(`/contacts/${id}`, { last_name: canary });
    await api.delete(`/contacts/${id}`);
    const isOfIt = ({ subject }: { readonly subject?: unknown }) => subject === `contact/${id}`;
    const published = (await system.published('contacts')).filter(isOfIt);
    expect(published).toMatchObject([
      { type: 'crm.contacts.contact.created', data: { contact_id: id, owner_user_id: owner } },
      { type: 'crm.contacts.contact.changed', data: { contact_id: id, fields: ['last_name'] } },
      { type: 'crm.contacts.contact.removed', data: { contact_id: id } },
    ]);
    expect(JSON.stringify(published)).not.toContain(canary);
  });
});
