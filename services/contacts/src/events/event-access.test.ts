import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { eventRecorder, viewed } from '../../test/recorded-event.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
const recorded = eventRecorder(contacts);

describe('access to a contact event', () => {
  // Different errors would reveal which ids of other users exist.
  it('of a hidden contact is rejected like one of a contact that does not exist', async () => {
    const { contact_id } = await recorded();
    const stranger = contacts.as(someone()).events;
    for (const id of [contact_id, 999_999]) {
      await expect(stranger.create({ contact_id: id, type: 'x' })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { contact_id: `'${id}' does not exist` },
      });
    }
    expect(await contacts.rows('select from events where contact_id = $1', [contact_id])).toHaveLength(1);
  });

  it('can be recorded by everyone who sees the contact', async () => {
    const [anna, ben] = [someone(), someone()];
    const owner = { ...anna, teammate_ids: [ben.id] };
    const { contact_id } = await recorded(owner, { assigned_user_id: ben.id });
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

  it("is read by the contact's owner, assignee, those it is shared with and the broker's agents, also without teams=true", async () => {
    const ben = someone();
    const { owner, event, id, contact_id } = await recorded(teammateOf(ben), { assigned_user_id: ben.id });
    const cleo = someone();
    const sharing = contacts.as({ ...owner, teammate_ids: [ben.id, cleo.id] }).shares;
    await sharing.create({ contact_id, user_id: cleo.id });
    const agent = agentOf(owner, { is_contact_ownership_enabled: true });
    for (const person of [owner, ben, cleo, agent]) {
      const { events } = contacts.as(person);
      for (const teams of [undefined, false, true, '0', 'true'] as const) {
        const asked = teams === undefined ? {} : { teams };
        expect(await events.get({ id, ...asked })).toEqual(event);
        expect(await events.find(asked)).toMatchObject({ total: 1, data: [event] });
      }
    }
  });

  it('of a contact that only a team shares is read with teams=true, and hidden without', async () => {
    const { owner, event, id } = await recorded();
    const { events, eventProperties } = contacts.as(someone({ sharing_teammate_ids: [owner.id] }));
    expect(await events.get({ id, teams: true })).toEqual(event);
    expect(await events.find({ teams: true })).toMatchObject({ total: 1, data: [event] });
    const hidden = { name: 'NotFound', message: `No record found for id '${id}'` };
    for (const asked of [{}, { teams: false }]) {
      await expect(events.get({ id, ...asked })).rejects.toMatchObject(hidden);
      await expect(eventProperties.create({ event_id: id, ...asked })).rejects.toMatchObject(hidden);
      expect(await events.find(asked)).toMatchObject({ total: 0, data: [] });
    }
  });

  it('can be read with the same parameters by everyone who recorded it or added a property', async () => {
    const ben = someone();
    const { owner, contact_id, id: other } = await recorded(teammateOf(ben), { assigned_user_id: ben.id });
    const cleo = someone();
    const sharing = contacts.as({ ...owner, teammate_ids: [ben.id, cleo.id] }).shares;
    await sharing.create({ contact_id, user_id: cleo.id });
    const teammate = someone({ sharing_teammate_ids: [owner.id] });
    const agent = agentOf(owner, { is_contact_ownership_enabled: true });
    for (const person of [owner, ben, cleo, agent, teammate]) {
      const { events, eventProperties } = contacts.as(person);
      const { id } = await events.create({ contact_id, type: 'call' });
      expect(await events.get({ id })).toMatchObject({ id, user_id: person.id });
      const { data } = await events.find({ contact_id, $sort: { id: -1 }, $limit: 1 });
      expect(data).toMatchObject([{ id }]);
      for (const asked of [
        { event_id: id },
        { event_id: other, ...(person === teammate && { teams: true }) },
      ]) {
        const property = await eventProperties.create(asked);
        expect(await eventProperties.get({ ...asked, id: property.id })).toEqual(property);
        const listed = await eventProperties.find(asked);
        expect(listed.data.map((one) => one.id)).toContain(property.id);
      }
    }
  });

  it('is hidden from strangers, with or without teams=true', async () => {
    const { owner, id } = await recorded();
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

  it('is hidden together with its contact, even from the user who recorded it', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const { contact_id } = await recorded(anna, { assigned_user_id: ben.id });
    const { id } = await contacts.as(ben).events.create({ contact_id, type: 'call' });
    await contacts.as(anna).contacts.patch({ id: contact_id, assigned_user_id: null });
    await expect(contacts.as(ben).events.get({ id, teams: true })).rejects.toMatchObject({
      name: 'NotFound',
    });
    expect(await contacts.as(anna).events.get({ id })).toMatchObject({ user_id: ben.id });
  });

  it.each(['patch', 'remove'] as const)(
    'allows only the owner of its contact to %s it; it is hidden from strangers',
    async (verb) => {
      const ben = someone();
      const { owner, contact_id } = await recorded(teammateOf(ben), { assigned_user_id: ben.id });
      // The user who recorded it has no more rights than others.
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
});
