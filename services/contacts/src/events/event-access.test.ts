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

  it('is read by the owner and the assignee of its contact, with or without teams=true', async () => {
    const ben = someone();
    const { owner, event, id } = await recorded(teammateOf(ben), { assigned_user_id: ben.id });
    for (const person of [owner, ben]) {
      const { events } = contacts.as(person);
      for (const teams of [undefined, false, true, '0', 'true'] as const) {
        const asked = teams === undefined ? {} : { teams };
        expect(await events.get({ id, ...asked })).toEqual(event);
        expect(await events.find(asked)).toMatchObject({ total: 1, data: [event] });
      }
    }
  });

  it('of a contact of others is read with teams=true, and hidden without', async () => {
    const { owner, event, id } = await recorded();
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
