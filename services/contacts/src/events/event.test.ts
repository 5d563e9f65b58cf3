import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const viewed = { type: 'property_viewed', description: 'Twice in an hour', site_domain: 'www.example.com' };

/** An event of a contact of somebody, as the owner reported it. */
async function reported(owner = someone(), contact: { assigned_user_id?: number } = {}) {
  const { id: contact_id } = await contacts.as(owner).contacts.create(contact);
  const event = await contacts.as(owner).events.create({ contact_id, ...viewed });
  return { owner, contact_id, event, id: event.id };
}

describe('an event', () => {
  it('says who reported what about whom, and that it came through the API', async () => {
    const { owner, contact_id, event } = await reported();
    expect(event).toEqual({
      id: expect.any(Number),
      user_id: owner.id,
      contact_id,
      source: 'api',
      ...viewed,
      dialer_session_id: null,
      property: null,
      created_at: expect.any(String),
      modified_at: event.created_at,
    });
    expect(await contacts.as(owner).events.get({ id: event.id })).toEqual(event);
  });

  it('takes nothing else from its reporter', async () => {
    const anna = someone();
    const { id } = await contacts.as(anna).contacts.create({});
    const foreign = { id: 7, user_id: 7, source: 'web', dialer_session_id: 7, property: { beds: 7 } };
    const made = await contacts.as(anna).events.create({ contact_id: String(id), type: 'x', ...foreign });
    expect(made).toMatchObject({
      contact_id: id,
      user_id: anna.id,
      source: 'api',
      dialer_session_id: null,
      property: null,
      description: null,
      site_domain: null,
    });
    expect(made.id).not.toBe(7);
  });

  it('keeps the times it is given, and refuses what is none', async () => {
    const { contacts: api, events } = contacts.as(someone());
    const { id: contact_id } = await api.create({});
    const sent = { created_at: '2016-07-01T12:12:11.000Z', modified_at: '2018-01-09T12:24:09.000Z' };
    expect(await events.create({ contact_id, type: 'x', ...sent })).toMatchObject(sent);
    for (const field of ['created_at', 'modified_at']) {
      const wrong = events.create({ contact_id, type: 'x', [field]: '2018-02-30T00:00:00Z' });
      await expect(wrong).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { [field]: expect.any(String) },
      });
    }
  });

  it.each([
    ['type', 45],
    ['description', 2000],
    ['site_domain', 100],
  ])('has a %s of at most %i characters', async (field, most) => {
    const { contacts: api, events } = contacts.as(someone());
    const { id: contact_id } = await api.create({});
    const longest = '🏡'.repeat(most);
    expect(await events.create({ contact_id, type: 'x', [field]: longest })).toMatchObject({
      [field]: longest,
    });
    const tooLong = events.create({ contact_id, type: 'x', [field]: 'x'.repeat(most + 1) });
    await expect(tooLong).rejects.toMatchObject({ errors: { [field]: expect.any(String) } });
  });

  it.each([
    ['type', undefined, 'is required'],
    ['type', null, 'must be a string'],
    ['type', '', 'must not be empty'],
    ['contact_id', undefined, 'is required'],
    ['contact_id', null, 'must be the id of a record'],
    ['contact_id', 0, expect.any(String)],
    ['contact_id', 'x', 'must be the id of a record'],
  ])('is not reported with the %s %j', async (field, value, message) => {
    const { contacts: api, events } = contacts.as(someone());
    const { id: contact_id } = await api.create({});
    const attempt = events.create({ contact_id, type: 'x', [field]: value } as {
      contact_id: number;
      type: string;
    });
    await expect(attempt).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { [field]: message },
    });
    expect(await events.find({})).toMatchObject({ total: 0 });
  });

  // Told apart, the two answers would say which ids of other people exist.
  it('of a contact one does not see is refused like one of no contact', async () => {
    const { contact_id } = await reported();
    const stranger = contacts.as(someone()).events;
    for (const id of [contact_id, 999_999]) {
      await expect(stranger.create({ contact_id: id, type: 'x' })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { contact_id: `'${id}' does not exist` },
      });
    }
    expect(await contacts.rows('select from events where contact_id = $1', [contact_id])).toHaveLength(1);
  });

  it('is reported by whoever sees the contact', async () => {
    const [anna, ben] = [someone(), someone()];
    const owner = { ...anna, teammate_ids: [ben.id] };
    const { contact_id } = await reported(owner, { assigned_user_id: ben.id });
    const people = [
      ben,
      someone({ sharing_teammate_ids: [owner.id] }),
      agentOf(owner, { is_contact_ownership_enabled: true }),
    ];
    for (const person of people) {
      const made = await contacts.as(person).events.create({ contact_id, type: 'x' });
      expect(made).toMatchObject({ contact_id, user_id: person.id });
    }
    for (const person of [teammateOf(owner), agentOf(owner, { is_contact_ownership_enabled: false })]) {
      await expect(contacts.as(person).events.create({ contact_id, type: 'x' })).rejects.toMatchObject({
        name: 'BadRequest',
      });
    }
  });

  it('is read by the owner and the assignee of its contact as it is', async () => {
    const ben = someone();
    const { owner, event, id } = await reported(teammateOf(ben), { assigned_user_id: ben.id });
    for (const person of [owner, ben]) {
      const { events } = contacts.as(person);
      for (const teams of [undefined, false, true, '0', 'true'] as const) {
        const asked = teams === undefined ? {} : { teams };
        expect(await events.get({ id, ...asked })).toEqual(event);
        expect(await events.find(asked)).toMatchObject({ total: 1, data: [event] });
      }
    }
  });

  it('of a contact that others let one see is read with teams=true, and is not there without', async () => {
    const { owner, event, id } = await reported();
    const people = [
      someone({ sharing_teammate_ids: [owner.id] }),
      agentOf(owner, { is_contact_ownership_enabled: true }),
    ];
    for (const person of people) {
      const { events } = contacts.as(person);
      expect(await events.get({ id, teams: true })).toEqual(event);
      expect(await events.find({ teams: true })).toMatchObject({ total: 1, data: [event] });
      for (const asked of [{}, { teams: false }]) {
        await expect(events.get({ id, ...asked })).rejects.toMatchObject({
          name: 'NotFound',
          message: `No record found for id '${id}'`,
        });
        expect(await events.find(asked)).toMatchObject({ total: 0, data: [] });
      }
    }
  });

  it('is not there for strangers, with or without teams=true', async () => {
    const { owner, id } = await reported();
    const strangers = [
      someone(),
      teammateOf(owner),
      agentOf(owner, { is_contact_ownership_enabled: false }),
      someone({ is_broker: true, sub_account_user_ids: [owner.id] }),
    ];
    for (const stranger of strangers) {
      const { events } = contacts.as(stranger);
      for (const teams of [true, false]) {
        await expect(events.get({ id, teams })).rejects.toMatchObject({ name: 'NotFound' });
        expect(await events.find({ teams })).toMatchObject({ total: 0, data: [] });
      }
    }
  });

  it('is gone from sight with the contact, even for who reported it', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { contact_id } = await reported(anna, { assigned_user_id: ben.id });
    const { id } = await contacts.as(ben).events.create({ contact_id, type: 'call' });
    await contacts.as(anna).contacts.patch({ id: contact_id, assigned_user_id: null });
    await expect(contacts.as(ben).events.get({ id, teams: true })).rejects.toMatchObject({
      name: 'NotFound',
    });
    expect(await contacts.as(anna).events.get({ id })).toMatchObject({ user_id: ben.id });
  });

  it('is listed with the whole query language', async () => {
    const { contacts: api, events } = contacts.as(someone());
    const [one, two] = [await api.create({}), await api.create({})];
    for (const [contact, type] of [
      [one, 'call'],
      [two, 'visit'],
      [one, 'visit'],
    ] as const)
      await events.create({ contact_id: contact.id, type });

    expect(await events.find({ contact_id: one.id, $sort: { id: -1 } })).toMatchObject({
      total: 2,
      data: [{ type: 'visit' }, { type: 'call' }],
    });
    expect(await events.find({ type: { $ne: 'call' }, $limit: 1, $skip: 1 })).toMatchObject({
      total: 2,
      limit: 1,
      skip: 1,
      data: [{ contact_id: one.id }],
    });
    expect(await events.find({ source: 'web' })).toMatchObject({ total: 0 });
    const unknown = events.find({ teams: true, ...{ contact: one.id } });
    await expect(unknown).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it('can be described anew, and nothing else of it can be changed', async () => {
    const { owner, contact_id, event, id } = await reported();
    const { contacts: api, events } = contacts.as(owner);
    const other = await api.create({});
    const foreign = {
      contact_id: other.id,
      type: 'y',
      site_domain: 'y',
      created_at: '2001-01-01',
      source: 'web',
    };
    const changed = await events.patch({ id, description: 'Once', ...foreign });
    expect(changed).toEqual({ ...event, description: 'Once', modified_at: changed.modified_at });
    expect(changed.modified_at > event.modified_at).toBe(true);
    expect(changed.contact_id).toBe(contact_id);
    expect(await events.patch({ id })).toMatchObject({ description: 'Once' });
    expect(await events.patch({ id, description: null })).toMatchObject({ description: null });
    await expect(events.patch({ id, description: 'x'.repeat(2001) })).rejects.toMatchObject({
      errors: { description: expect.any(String) },
    });
  });

  it.each(['patch', 'remove'] as const)(
    'lets only the owner of its contact %s it: others who see it may not, and for strangers it is not there',
    async (verb) => {
      const ben = someone();
      const { owner, contact_id } = await reported(teammateOf(ben), { assigned_user_id: ben.id });
      // Its reporter has no more right to it than others.
      const { id } = await contacts.as(ben).events.create({ contact_id, ...viewed });
      const input = { id, description: 'Mine' };
      const seeing = [
        ben,
        someone({ sharing_teammate_ids: [owner.id] }),
        agentOf(owner, { is_contact_ownership_enabled: true }),
      ];
      for (const person of seeing) {
        await expect(contacts.as(person).events[verb](input)).rejects.toMatchObject({ name: 'Forbidden' });
      }
      for (const person of [someone(), teammateOf(owner)]) {
        await expect(contacts.as(person).events[verb](input)).rejects.toMatchObject({
          name: 'NotFound',
          message: `No record found for id '${id}'`,
        });
      }
      expect(await contacts.as(owner).events.get({ id })).toMatchObject(viewed);
      expect(await contacts.as(owner).events[verb](input)).toMatchObject({ id });
      await expect(contacts.as(owner).events[verb]({ id: 999_999 })).rejects.toMatchObject({
        name: 'NotFound',
      });
    },
  );

  it('is not changed or removed where it does not meet the conditions of the request', async () => {
    const { owner, id } = await reported();
    const { events } = contacts.as(owner);
    for (const verb of ['patch', 'remove'] as const) {
      await expect(events[verb]({ id, $where: { type: 'call' } })).rejects.toMatchObject({
        name: 'NotFound',
      });
    }
    expect(await events.remove({ id, $where: { type: viewed.type } })).toMatchObject(viewed);
    await expect(events.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('goes with its contact, and takes its properties along', async () => {
    const { owner, contact_id, id } = await reported();
    const { contacts: api, events, eventProperties } = contacts.as(owner);
    const second = await events.create({ contact_id, type: 'x' });
    for (const event_id of [id, second.id]) await eventProperties.create({ event_id });
    const left = () => contacts.rows('select from event_properties where contact_id = $1', [contact_id]);
    await events.remove({ id });
    expect(await left()).toHaveLength(1);
    await api.remove({ id: contact_id });
    expect(await left()).toEqual([]);
    expect(await contacts.rows('select from events where contact_id = $1', [contact_id])).toEqual([]);
  });

  // Without the lock on the contact its removal slips in between the check and the row that refers to it.
  it('is either reported or refused when its contact is removed at the same moment', async () => {
    const { contacts: api, events } = contacts.as(someone());
    for (let n = 0; n < 20; n++) {
      const { id } = await api.create({});
      const [reporting, removing] = await Promise.allSettled([
        events.create({ contact_id: id, type: 'x' }),
        api.remove({ id }),
      ]);
      expect(removing.status).toBe('fulfilled');
      if (reporting.status === 'rejected') expect(reporting.reason).toMatchObject({ name: 'BadRequest' });
    }
    expect(await events.find({})).toMatchObject({ total: 0 });
  });

  it('is announced by ids alone, with growing versions', async () => {
    const { owner, contact_id, id } = await reported();
    const { events, eventProperties } = contacts.as(owner);
    await events.patch({ id, description: 'Bill’s birthday' });
    const property = await eventProperties.create({ event_id: id, address: '123 Keolu Rd' });
    await eventProperties.patch({ event_id: id, id: property.id, beds: 3 });
    await eventProperties.remove({ event_id: id, id: property.id });
    await events.remove({ id });

    const data = { event_id: id, contact_id, user_id: owner.id };
    const told = (await contacts.published()).filter(
      (event) => (event.data as { event_id?: number }).event_id === id,
    );
    const changed = (aggregateversion: number, field: string) => ({
      type: 'crm.contacts.activity.changed',
      aggregateversion,
      data: { ...data, fields: [field] },
    });
    expect(told.map(({ type, aggregateversion, data }) => ({ type, aggregateversion, data }))).toEqual([
      { type: 'crm.contacts.activity.recorded', aggregateversion: 1, data },
      changed(2, 'description'),
      changed(3, 'property'),
      changed(4, 'property'),
      changed(5, 'property'),
      { type: 'crm.contacts.activity.removed', aggregateversion: 6, data },
    ]);
  });
});
