import type { User } from '@crm/auth';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';

const leads = await leadsUnderTest();
afterAll(leads.close);

const contactOf = async (user: User, draft: object = {}) =>
  (await leads.contacts.as(user).contacts.create({ first_name: 'Bill', email: 'bill@example.com', ...draft }))
    .id;

describe('a lead', () => {
  it('keeps the whole enquiry, even the HTML of a long e-mail', async () => {
    const anna = await leads.person();
    const html_body = `<p>${'Hello '.repeat(60_000)}</p>`;
    const { id } = await leads.as(anna).leads.create({ contact_id: await contactOf(anna), html_body });
    expect(await leads.as(anna).leads.get({ id })).toMatchObject({ html_body });
  });

  it('shows its creator, its assigned user, its contact and its source', async () => {
    const anna = await leads.person({ first_name: 'Anna', last_name: 'Ash' });
    const contact_id = await contactOf(anna);
    const source_id = await leads.leadSourceOf(anna);
    const sent = {
      contact_id,
      source_id,
      text_body: 'Lead from Zillow',
      html_body: '<b>Lead</b>',
      mls_id: 2000,
      listing_status: 'For Sale',
      listing_price: '10000000',
      street_address: '171 Lake Washington Blvd E',
      city: 'Seattle',
      state: 'WA',
      zipcode: 98112,
      type: 'Buyer',
    };
    const { create, get, find } = leads.as(anna).leads;
    const lead = await create(sent);
    const own = { id: anna.id, first_name: 'Anna', last_name: 'Ash' };
    expect(lead).toEqual({
      ...sent,
      id: expect.any(Number),
      address_1: sent.street_address,
      status: 'Pending',
      distribution_target: 'Myself',
      claimed_via: 'None',
      claimed_by_user_id: null,
      claimed_at: null,
      time_to_claim: null,
      created_at: expect.stringMatching(/Z$/),
      assigned_to_user: { ...own, email: expect.any(String) },
      created_by_user: own,
      contact: {
        id: contact_id,
        first_name: 'Bill',
        last_name: null,
        email: 'bill@example.com',
        mobile_phone: null,
        home_phone: null,
        office_phone: null,
      },
      source: { id: source_id, name: 'Zillow' },
    });
    expect(await get({ id: lead.id })).toEqual(lead);
    expect(await find({ contact_id })).toMatchObject({ total: 1, data: [lead] });
  });

  it('can be listed by the user it is assigned to', async () => {
    const [anna, ben] = [await leads.person(), await leads.person()];
    const contact_id = await contactOf(anna);
    const { id } = await leads.as(anna).leads.create({ contact_id });
    const totalFor = async (assigned_user_id: number) =>
      (await leads.as(anna).leads.find({ assigned_user_id })).total;
    expect([await totalFor(anna.id), await totalFor(ben.id), await totalFor(0)]).toEqual([1, 0, 0]);
    await leads.rows('update leads set assigned_user_id = null where id = $1', [id]);
    expect([await totalFor(anna.id), await totalFor(0)]).toEqual([0, 1]);
    expect((await leads.as(ben).leads.find({ assigned_user_id: 0 })).total).toBe(0);
  });

  it('shows its contact only to users who see the contact', async () => {
    const [anna, ben] = [await leads.person(), await leads.person()];
    const draft = { first_name: 'Bill', email: 'bill@example.com', mobile_phone: '604-555-4572' };
    const { id: contact_id } = await leads.contacts.as(anna).contacts.create(draft);
    const { id } = await leads.as(anna).leads.create({ contact_id });
    await leads.rows('update leads set assigned_user_id = $2 where id = $1', [id, ben.id]);
    const contactFor = async (user: typeof anna) =>
      (await (await leads.asNow(user)).leads.get({ id })).contact;
    expect(await contactFor(anna)).toMatchObject(draft);
    expect(await contactFor(ben)).toBeNull();
    await leads.contacts.asSystem.shares.give({ contact_id, user_id: ben.id });
    expect(await contactFor(ben)).toMatchObject(draft);
  });

  it.each([
    [2000, 98112],
    ['2000', '98112'],
    ['A-7 "x"', 'V6J 4Z3'],
    ['007', '02134'],
    [0, 2134],
  ])('keeps numbers and texts as sent: %j, %j', async (mls_id, zipcode) => {
    const anna = await leads.person();
    const { create, get, find } = leads.as(anna).leads;
    const { id } = await create({ contact_id: 999_999, mls_id, zipcode });
    expect(await get({ id })).toMatchObject({ mls_id, zipcode });
    expect(await find({ mls_id: String(mls_id), zipcode: String(zipcode) })).toMatchObject({ total: 1 });
    expect(await find({ mls_id: { $ne: String(mls_id) } })).toMatchObject({ total: 0 });
  });

  it('stores decimals and booleans as texts, as in every other text field', async () => {
    const { create } = leads.as(await leads.person()).leads;
    const sent = { contact_id: 999_999, mls_id: 12.5, zipcode: true, city: 1.5 } as object as {
      contact_id: number;
    };
    expect(await create(sent)).toMatchObject({ mls_id: '12.5', zipcode: 'true', city: '1.5' });
    await expect(create({ ...sent, mls_id: 1e20 } as object as typeof sent)).rejects.toThrow(/mls_id/);
  });

  it('stores its price as a text, even if it was sent as a number', async () => {
    const { create } = leads.as(await leads.person()).leads;
    expect(await create({ contact_id: 9, listing_price: 1_000_000 as never })).toMatchObject({
      listing_price: '1000000',
    });
  });

  it('never shows a contact that did not exist or that the creator could not see', async () => {
    const [anna, bob] = [await leads.person(), await leads.person()];
    const foreign = await contactOf(bob);
    const { create, get } = leads.as(anna).leads;
    expect(await create({ contact_id: 999_999 })).toMatchObject({ contact_id: 999_999, contact: null });
    const { id } = await create({ contact_id: foreign });
    expect(await get({ id })).toMatchObject({ contact_id: foreign, contact: null });
    await expect(leads.as(bob).leads.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    await leads.contacts
      .as(bob)
      .shares.create({ contact_id: foreign, user_id: bob.id })
      .catch(() => undefined);
    expect(await get({ id })).toMatchObject({ contact: null });
  });

  it.each([0, '0', -7, 2 ** 31, '12345678901234567890', 1e300])(
    'for a contact with the id %s, which no contact can have, shows the id 0 and no contact',
    async (contact_id) => {
      const { create, get, find } = leads.as(await leads.person()).leads;
      const lead = await create({ contact_id });
      expect(lead).toMatchObject({ contact_id: 0, contact: null, status: 'Pending' });
      expect(await get({ id: lead.id })).toEqual(lead);
      expect(await find({ contact_id: 0 })).toMatchObject({ total: 1, data: [lead] });
    },
  );

  it('needs a contact', async () => {
    const { create } = leads.as(await leads.person()).leads;
    await expect(create({} as never)).rejects.toMatchObject({ errors: { contact_id: 'is required' } });
    await expect(create({ contact_id: null as never })).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it('shows the current contact, and null as soon as it is removed', async () => {
    const anna = await leads.person();
    const contact_id = await contactOf(anna);
    const { create, get, find } = leads.as(anna).leads;
    const { id } = await create({ contact_id });
    await leads.contacts.as(anna).contacts.patch({ id: contact_id, first_name: 'Will' });
    expect(await get({ id })).toMatchObject({ contact: { first_name: 'Will' } });
    await leads.contacts.as(anna).contacts.remove({ id: contact_id });
    expect(await get({ id })).toMatchObject({ contact_id, contact: null });
    expect(await find({ contact_id })).toMatchObject({ total: 1, data: [{ contact: null }] });
  });

  it('needs a source that its creator may use, with the same error for other sources and missing ones', async () => {
    const [broker, stranger] = [await leads.person({ is_broker: true }), await leads.person()];
    const [allowed, denied] = [await leads.person(), await leads.person()];
    const { subAccounts } = leads.identity.as(broker);
    for (const { id } of [allowed, denied])
      await leads.identity.asSystem.subAccounts.consent({ broker: broker.id, user: id });
    await subAccounts.create({ user_id: allowed.id, is_lead_sources_enabled: true });
    await subAccounts.create({ user_id: denied.id, is_lead_sources_enabled: false });
    const source_id = await leads.leadSourceOf(broker, "Broker's");
    expect(await (await leads.asNow(allowed)).leads.create({ contact_id: 9, source_id })).toMatchObject({
      source: { id: source_id, name: "Broker's" },
    });
    const refusal = { name: 'BadRequest', errors: { source_id: 'must be a lead source that you may use' } };
    for (const user of [denied, stranger])
      for (const named of [source_id, 999_999])
        await expect(
          (await leads.asNow(user)).leads.create({ contact_id: 9, source_id: named }),
        ).rejects.toMatchObject(refusal);
  });

  it('that was already claimed when it was created belongs to its creator immediately', async () => {
    const anna = await leads.person();
    const { create } = leads.as(anna).leads;
    for (const claimed_via of ['Email', 'Text', 'Phone', 'Assigned', 'Auto'] as const) {
      const lead = await create({ contact_id: 9, claimed_via });
      expect(lead).toMatchObject({
        claimed_via,
        claimed_by_user_id: anna.id,
        claimed_at: lead.created_at,
        time_to_claim: '00:00:00',
        status: 'Claimed',
        assigned_to_user: { id: anna.id },
      });
    }
    expect(await create({ contact_id: 9, claimed_via: 'None' })).toMatchObject({ status: 'Pending' });
  });

  it.each([
    ['00:00:05.900', '00:00:05'],
    ['00:59:59', '00:59:59'],
    ['26:00:01', '26:00:01'],
    ['123:00:00', '123:00:00'],
    ['-00:00:03', '00:00:00'],
  ])('claimed %s after its creation shows %s', async (after, shown) => {
    const anna = await leads.person();
    const { create, get, find } = leads.as(anna).leads;
    const { id } = await create({ contact_id: 9, claimed_via: 'Phone' });
    await leads.rows('update leads set claimed_at = created_at + $2::interval where id = $1', [id, after]);
    expect(await get({ id })).toMatchObject({ time_to_claim: shown });
    expect((await find({ time_to_claim: shown })).total).toBe(1);
  });

  it('is published by its ids, and so is its claim', async () => {
    const anna = await leads.person();
    const { id } = await leads.as(anna).leads.create({ contact_id: 9, claimed_via: 'Text', city: 'Said' });
    const data = { lead_id: id, creator_user_id: anna.id, contact_id: 9 };
    const published = await leads.published();
    expect(published.slice(-2)).toMatchObject([
      { type: 'crm.leads-routing.lead.created', data, aggregateversion: 1 },
      {
        type: 'crm.leads-routing.lead.claimed',
        data: { ...data, claimed_by_user_id: anna.id, claimed_via: 'Text' },
        aggregateversion: 2,
      },
    ]);
    expect(JSON.stringify(published)).not.toContain('Said');
  });

  it('loads only the selected names', async () => {
    const anna = await leads.person();
    await leads.as(anna).leads.create({ contact_id: await contactOf(anna), type: 'Buyer' });
    expect((await leads.as(anna).leads.find({ $select: ['type', 'contact'] })).data).toEqual([
      { id: expect.any(Number), type: 'Buyer', contact: expect.objectContaining({ first_name: 'Bill' }) },
    ]);
    expect((await leads.as(anna).leads.find({ $select: ['type'] })).data).toEqual([
      { id: expect.any(Number), type: 'Buyer' },
    ]);
  });

  it('is created once, however often the request is repeated, and shows current names each time', async () => {
    const anna = await leads.person();
    const contact_id = await contactOf(anna);
    const { create, find } = leads.as(anna).leads;
    const key = { idempotencyKey: 'lead' };
    const first = await create({ contact_id }, key);
    await leads.contacts.as(anna).contacts.remove({ id: contact_id });
    expect(await create({ contact_id }, key)).toEqual({ ...first, contact: null });
    expect((await find({})).total).toBe(1);
  });
});

describe('the routing of a lead', () => {
  it('follows the routes of its creator, by its sources and type', async () => {
    const [anna, bob] = [await leads.person(), await leads.person()];
    const team_id = await leads.teamOf(anna);
    const api = await leads.asNow(anna);
    const lead_source_id = await leads.leadSourceOf(anna);
    const { contactSources, contacts } = leads.contacts.as(anna);
    const contact_source_id = (await contactSources.create({ name: 'Zillow' })).id;
    const campaign_id = (await leads.campaigns.as(anna).campaigns.create({ name: 'Drip' })).id;
    const contact_id = (await contacts.create({ source_id: contact_source_id })).id;
    const route = { lead_source_id, contact_source_id, campaign_id } as const;
    await api.leadRoutes.create({ ...route, distribution_target: 'Myself' });
    await api.leadRoutes.create({ ...route, distribution_target: 'Team Rollout', team_id, filter: 'BUYER' });

    const lead = { contact_id, source_id: lead_source_id };
    const toTeam = await api.leads.create({ ...lead, type: 'Buyer' });
    expect(toTeam).toMatchObject({
      distribution_target: 'Team Rollout',
      assigned_to_user: null,
      status: 'Pending',
    });
    expect(
      await leads.rows('select team_id, team_selection_method from leads where id = $1', [toTeam.id]),
    ).toEqual([{ team_id, team_selection_method: 'Specific Team' }]);
    expect(await api.leads.create({ ...lead, type: 'Seller' })).toMatchObject({
      distribution_target: 'Myself',
      assigned_to_user: { id: anna.id },
    });
    expect(await api.leads.create({ contact_id })).toMatchObject({ distribution_target: 'Myself' });
    expect(await leads.as(bob).leads.create({ contact_id })).toMatchObject({ distribution_target: 'Myself' });
  });
});
