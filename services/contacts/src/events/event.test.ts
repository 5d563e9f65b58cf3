import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { eventRecorder, viewed } from '../../test/recorded-event.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const recorded = eventRecorder(contacts);

describe('a contact event', () => {
  it('shows who recorded what about whom, and that it came through the API', async () => {
    const { owner, contact_id, event } = await recorded();
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

  it('ignores read-only fields', async () => {
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

  it('stores the timestamps that are sent, and rejects invalid ones', async () => {
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
  ])('has a %s of at most %i characters', async (field, max) => {
    const { contacts: api, events } = contacts.as(someone());
    const { id: contact_id } = await api.create({});
    const longest = '🏡'.repeat(max);
    expect(await events.create({ contact_id, type: 'x', [field]: longest })).toMatchObject({
      [field]: longest,
    });
    const tooLong = events.create({ contact_id, type: 'x', [field]: 'x'.repeat(max + 1) });
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
  ])('cannot be recorded with the %s %j', async (field, value, message) => {
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

  it('is listed with the query language of all lists', async () => {
    const { contacts: api, events } = contacts.as(someone());
    const [first, second] = [await api.create({}), await api.create({})];
    for (const [contact, type] of [
      [first, 'call'],
      [second, 'visit'],
      [first, 'visit'],
    ] as const)
      await events.create({ contact_id: contact.id, type });

    expect(await events.find({ contact_id: first.id, $sort: { id: -1 } })).toMatchObject({
      total: 2,
      data: [{ type: 'visit' }, { type: 'call' }],
    });
    expect(await events.find({ type: { $ne: 'call' }, $limit: 1, $skip: 1 })).toMatchObject({
      total: 2,
      limit: 1,
      skip: 1,
      data: [{ contact_id: first.id }],
    });
    expect(await events.find({ source: 'web' })).toMatchObject({ total: 0 });
    const unknown = events.find({ teams: true, ...{ contact: first.id } });
    await expect(unknown).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it('can get another description, and nothing else of it can be changed', async () => {
    const { owner, contact_id, event, id } = await recorded();
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

  it('is not changed or removed if it does not meet the conditions of the request', async () => {
    const { owner, id } = await recorded();
    const { events } = contacts.as(owner);
    for (const verb of ['patch', 'remove'] as const) {
      await expect(events[verb]({ id, $where: { type: 'call' } })).rejects.toMatchObject({
        name: 'NotFound',
      });
    }
    expect(await events.remove({ id, $where: { type: viewed.type } })).toMatchObject(viewed);
    await expect(events.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('is removed with its contact, and its properties with it', async () => {
    const { owner, contact_id, id } = await recorded();
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

  // Without the lock the contact could be removed between the check and the insert.
  it('is either recorded or rejected when its contact is removed concurrently', async () => {
    const { contacts: api, events } = contacts.as(someone());
    for (let n = 0; n < 20; n++) {
      const { id } = await api.create({});
      const [recording, removing] = await Promise.allSettled([
        events.create({ contact_id: id, type: 'x' }),
        api.remove({ id }),
      ]);
      expect(removing.status).toBe('fulfilled');
      if (recording.status === 'rejected') expect(recording.reason).toMatchObject({ name: 'BadRequest' });
    }
    expect(await events.find({})).toMatchObject({ total: 0 });
  });

  it('publishes domain events with increasing versions, which contain only ids', async () => {
    const { owner, contact_id, id } = await recorded();
    const { events, eventProperties } = contacts.as(owner);
    await events.patch({ id, description: "Bill's birthday" });
    const property = await eventProperties.create({ event_id: id, address: '123 Keolu Rd' });
    await eventProperties.patch({ event_id: id, id: property.id, beds: 3 });
    await eventProperties.remove({ event_id: id, id: property.id });
    await events.remove({ id });

    const data = { event_id: id, contact_id, user_id: owner.id };
    const published = (await contacts.published()).filter((event) => event.data.event_id === id);
    const changed = (aggregateversion: number, field: string) => ({
      type: 'crm.contacts.activity.changed',
      aggregateversion,
      data: { ...data, fields: [field] },
    });
    expect(published.map(({ type, aggregateversion, data }) => ({ type, aggregateversion, data }))).toEqual([
      { type: 'crm.contacts.activity.recorded', aggregateversion: 1, data },
      changed(2, 'description'),
      changed(3, 'property'),
      changed(4, 'property'),
      changed(5, 'property'),
      { type: 'crm.contacts.activity.removed', aggregateversion: 6, data },
    ]);
  });
});
