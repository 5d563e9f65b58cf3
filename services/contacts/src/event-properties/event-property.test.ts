import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const condo = {
  mls: '2000-17',
  url: 'https://www.example.com/1',
  address: '123 Keolu Rd Unit 12',
  city: 'Kailua',
  state: 'Hawaii',
  zip: '96734',
  beds: 2,
  full_baths: 1,
  half_baths: 1,
  type: 'Condo',
  square_feet: 'about 900',
  listing_price: 100500.9,
  listing_status: 'For Sale',
  listing_days_on_market: 12,
  estimated_value: 99000,
  last_sold_at: '2016-07-01T12:12:11.000Z',
  last_sold_price: 80000.25,
  latitude: 21.3929,
  longitude: -157.7394,
  images: 'https://www.example.com/1.jpg,https://www.example.com/2.jpg',
  year_built: 1971,
  listed_at: '2026-01-09T12:24:09.000Z',
};

async function eventOf(owner = someone(), contact: { assigned_user_id?: number } = {}) {
  const { id: contact_id } = await contacts.as(owner).contacts.create(contact);
  const event = await contacts.as(owner).events.create({ contact_id, type: 'property_viewed' });
  return { owner, contact_id, event_id: event.id };
}

describe('a property of a contact event', () => {
  it('stores all fields, and belongs to the event and the contact of its path', async () => {
    const { owner, contact_id, event_id } = await eventOf();
    const { eventProperties } = contacts.as(owner);
    const foreign = { id: 7, api_event_id: 7, contact_id: 7 };
    const made = await eventProperties.create({ event_id, ...condo, ...foreign });
    expect(made).toEqual({ id: made.id, api_event_id: event_id, contact_id, ...condo });
    expect(made.id).not.toBe(7);
    expect(await eventProperties.get({ event_id, id: made.id })).toEqual(made);
    const changed = await eventProperties.patch({ event_id, id: made.id, beds: 3, ...{ contact_id: 7 } });
    expect(changed).toEqual({ ...made, beds: 3 });
  });

  it('requires no field, and clears fields that are set to null', async () => {
    const { owner, contact_id, event_id } = await eventOf();
    const { eventProperties } = contacts.as(owner);
    const none = Object.fromEntries(Object.keys(condo).map((name) => [name, null]));
    const { id, ...bare } = await eventProperties.create({ event_id });
    expect(bare).toEqual({ api_event_id: event_id, contact_id, ...none });
    await eventProperties.patch({ event_id, id, ...condo });
    expect(await eventProperties.patch({ event_id, id, ...none })).toEqual({ id, ...bare });
  });

  it('accepts numbers as strings, and returns them as numbers', async () => {
    const { owner, event_id } = await eventOf();
    const numbers = Object.entries(condo).filter(([, value]) => typeof value === 'number');
    const texts = Object.fromEntries(numbers.map(([name, value]) => [name, `${value}`]));
    const { eventProperties } = contacts.as(owner);
    const made = await eventProperties.create({ event_id, ...texts, listing_price: '100500.90' });
    expect(made).toMatchObject(Object.fromEntries(numbers));
    expect(await eventProperties.find({ event_id, listing_price: 100500.9 })).toMatchObject({ total: 1 });
    for (const [name] of numbers) {
      await expect(eventProperties.create({ event_id, [name]: 'many' })).rejects.toMatchObject({
        errors: { [name]: expect.any(String) },
      });
    }
  });

  it.each([
    ...['url', 'address', 'city', 'state', 'zip'].map((field) => [field, 200] as const),
    ...['type', 'square_feet', 'sqft', 'listing_status'].map((field) => [field, 45] as const),
    ...['images', 'mls'].map((field) => [field, 255] as const),
  ])('has a %s of at most %i characters', async (field, max) => {
    const { owner, event_id } = await eventOf();
    const { eventProperties } = contacts.as(owner);
    const longest = '🏡'.repeat(max);
    const shown = field === 'sqft' ? 'square_feet' : field;
    const made = await eventProperties.create({ event_id, [field]: longest });
    expect(made).toMatchObject({ [shown]: longest });
    for (const attempt of [
      () => eventProperties.create({ event_id, [field]: 'x'.repeat(max + 1) }),
      () => eventProperties.patch({ event_id, id: made.id, [field]: 'x'.repeat(max + 1) }),
    ]) {
      await expect(attempt()).rejects.toMatchObject({ errors: { [field]: expect.any(String) } });
    }
  });

  it.each(['last_sold_at', 'listed_at'])('rejects a %s that is not a timestamp', async (field) => {
    const { owner, event_id } = await eventOf();
    const attempt = () => contacts.as(owner).eventProperties.create({ event_id, [field]: '2018-02-30' });
    await expect(attempt()).rejects.toMatchObject({ errors: { [field]: expect.any(String) } });
  });

  it('accepts sqft as an alias of square_feet, which takes precedence', async () => {
    const { owner, event_id } = await eventOf();
    const { eventProperties } = contacts.as(owner);
    const made = await eventProperties.create({ event_id, sqft: '900' });
    expect(made).toMatchObject({ square_feet: '900' });
    expect(made).not.toHaveProperty('sqft');
    const at = { event_id, id: made.id };
    expect(await eventProperties.patch({ ...at, sqft: '1' })).toMatchObject({ square_feet: '1' });
    expect(await eventProperties.patch({ ...at, sqft: '1', square_feet: '2' })).toMatchObject({
      square_feet: '2',
    });
    expect(await eventProperties.patch({ ...at, sqft: null })).toMatchObject({ square_feet: null });
  });

  it('is shown by its event if it is the latest, with sqft in place of square_feet', async () => {
    const { owner, contact_id, event_id } = await eventOf();
    const { events, eventProperties } = contacts.as(owner);
    const { square_feet, ...others } = condo;
    const first = await eventProperties.create({ event_id, ...condo });
    const shown = { ...others, api_event_id: event_id, contact_id, sqft: square_feet };
    expect((await events.get({ id: event_id })).property).toEqual({ id: first.id, ...shown });
    expect((await events.find({})).data[0]?.property).toEqual({ id: first.id, ...shown });

    const second = await eventProperties.create({ event_id, beds: 9 });
    await eventProperties.patch({ event_id, id: first.id, beds: 1 });
    expect(await events.get({ id: event_id })).toMatchObject({ property: { id: second.id, beds: 9 } });
    expect(await eventProperties.find({ event_id })).toMatchObject({
      total: 2,
      data: [{ id: first.id }, { id: second.id }],
    });
    await eventProperties.remove({ event_id, id: second.id });
    expect(await events.get({ id: event_id })).toMatchObject({ property: { id: first.id, beds: 1 } });
  });

  it.each(['web', 'disposition'])('cannot be added to an event whose source is %s', async (source) => {
    const { owner, contact_id } = await eventOf();
    const [row] = await contacts.rows(
      `insert into events (user_id, contact_id, source, type, created_at, modified_at)
       values ($1, $2, $3, 'x', now(), now()) returning id`,
      [owner.id, contact_id, source],
    );
    const event_id = Number(row?.id);
    const { events, eventProperties } = contacts.as(owner);
    expect(await events.get({ id: event_id })).toMatchObject({ source, property: null });
    await expect(eventProperties.create({ event_id, beds: 1 })).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { event_id: 'must be an event whose source is api' },
    });
    expect(await eventProperties.find({ event_id })).toMatchObject({ total: 0 });
  });

  it('can be added by everyone who sees the contact', async () => {
    const ben = someone();
    const { owner, event_id } = await eventOf(teammateOf(ben), { assigned_user_id: ben.id });
    const people = [
      [owner],
      [ben],
      [agentOf(owner, { is_contact_ownership_enabled: true })],
      [someone({ sharing_teammate_ids: [owner.id] }), { teams: true }],
    ] as const;
    for (const [person, asked] of people) {
      const { eventProperties } = contacts.as(person);
      expect(await eventProperties.create({ event_id, beds: 1, ...asked })).toMatchObject({ beds: 1 });
    }
  });

  it('is as visible as its event: that of a teammate with teams=true, that of a stranger never', async () => {
    const ben = someone();
    const { owner, event_id } = await eventOf(teammateOf(ben), { assigned_user_id: ben.id });
    const made = await contacts.as(owner).eventProperties.create({ event_id, beds: 2 });
    const at = { event_id, id: made.id };

    expect(await contacts.as(ben).eventProperties.get(at)).toEqual(made);
    expect(await contacts.as(ben).eventProperties.find({ event_id })).toMatchObject({
      total: 1,
      data: [made],
    });
    const mate = contacts.as(someone({ sharing_teammate_ids: [owner.id] })).eventProperties;
    expect(await mate.get({ ...at, teams: true })).toEqual(made);
    expect(await mate.find({ event_id, teams: true })).toMatchObject({ total: 1, data: [made] });
    await expect(mate.get(at)).rejects.toMatchObject({ name: 'NotFound' });
    await expect(mate.find({ event_id })).rejects.toMatchObject({ name: 'NotFound' });
    for (const person of [someone(), teammateOf(owner)]) {
      const { eventProperties } = contacts.as(person);
      const tries = [
        () => eventProperties.get({ ...at, teams: true }),
        () => eventProperties.find({ event_id, teams: true }),
        () => eventProperties.create({ event_id }),
        () => eventProperties.patch({ ...at, beds: 9 }),
        () => eventProperties.remove(at),
      ];
      for (const attempt of tries) {
        await expect(attempt()).rejects.toMatchObject({
          name: 'NotFound',
          message: `No record found for id '${event_id}'`,
        });
      }
    }
    expect(
      await contacts.rows('select beds from event_properties where api_event_id = $1', [event_id]),
    ).toEqual([{ beds: 2 }]);
  });

  it('can be changed and removed only by the owner of the contact', async () => {
    const ben = someone();
    const { owner, event_id } = await eventOf(teammateOf(ben), { assigned_user_id: ben.id });
    const { id } = await contacts.as(ben).eventProperties.create({ event_id, beds: 2 });
    for (const person of [ben, someone({ sharing_teammate_ids: [owner.id] })]) {
      const { eventProperties } = contacts.as(person);
      for (const attempt of [
        () => eventProperties.patch({ event_id, id, beds: 9 }),
        () => eventProperties.remove({ event_id, id }),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ name: 'Forbidden' });
      }
    }
    const { eventProperties } = contacts.as(owner);
    expect(await eventProperties.patch({ event_id, id, city: 'Reno' })).toMatchObject({
      beds: 2,
      city: 'Reno',
    });
    expect(await eventProperties.remove({ event_id, id })).toMatchObject({ id, city: 'Reno' });
    expect(await eventProperties.find({ event_id })).toMatchObject({ total: 0 });
  });

  it.each(['get', 'patch', 'remove'] as const)(
    'cannot be reached by %s through another event or against a condition',
    async (verb) => {
      const { owner, contact_id, event_id } = await eventOf();
      const { events, eventProperties } = contacts.as(owner);
      const { id } = await eventProperties.create({ event_id, beds: 2 });
      const other = await events.create({ contact_id, type: 'x' });
      const stranger = await eventOf();
      const attempts = [
        () => eventProperties[verb]({ event_id: other.id, id }),
        () => contacts.as(stranger.owner).eventProperties[verb]({ event_id: stranger.event_id, id }),
        () => eventProperties[verb]({ event_id, id, $where: { beds: 3 } }),
        () => eventProperties[verb]({ event_id, id: 999_999 }),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ name: 'NotFound' });
      expect(await eventProperties.get({ event_id, id })).toMatchObject({ beds: 2 });
    },
  );

  it.each([1e-7, 1e-120, -1.5e-200, 5e-324, 9e15])(
    'lists all by a number such as %s, page by page',
    async (latitude) => {
      const { owner, event_id } = await eventOf();
      const { eventProperties } = contacts.as(owner);
      for (let beds = 0; beds < 3; beds++) await eventProperties.create({ event_id, beds, latitude });
      const seen: number[] = [];
      for (let $after: string | null | undefined = ''; typeof $after === 'string'; ) {
        const find = { event_id, $sort: { latitude: 1 }, $limit: 1, $after } as const;
        const { data, next } = await eventProperties.find(find);
        seen.push(...data.map(({ id }) => id));
        $after = next;
      }
      const { data } = await eventProperties.find({ event_id });
      expect(seen).toEqual(data.map(({ id }) => id).toSorted((one, other) => one - other));
    },
  );

  // With equal versions a consumer would ignore one of the changes.
  it('gives its event a new version with each of several concurrent changes', async () => {
    const { owner, event_id } = await eventOf();
    const { events, eventProperties } = contacts.as(owner);
    const { modified_at } = await events.get({ id: event_id });
    await Promise.all(Array.from({ length: 8 }, (_, beds) => eventProperties.create({ event_id, beds })));
    expect(await eventProperties.find({ event_id })).toMatchObject({ total: 8 });
    const versions = (await contacts.published())
      .filter((event) => event.data.event_id === event_id)
      .map(({ aggregateversion }) => aggregateversion);
    expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await events.get({ id: event_id })).modified_at > modified_at).toBe(true);
  });
});
