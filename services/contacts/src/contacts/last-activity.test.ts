import { system } from '@crm/auth';
import { emFor } from '@crm/data';
import { communicationDispatched } from '@crm/events';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { noteMessagesWhenCommunicationsDispatched } from './note-messages-when-communications-dispatched.ts';
import { writeKeptMessages } from './sent-message.queries.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const at = (day: number) => `2026-03-0${day}T09:00:00.000Z`;

describe('the last activity of a contact', () => {
  it('is its latest event or message, whatever comes in which order, and no change of the contact', async () => {
    const { contacts: api, events } = contacts.as(someone());
    const { id, last_activity_at } = await api.create({ first_name: 'Bill' });
    expect(last_activity_at).toBeNull();
    const after = async (act: Promise<unknown>) => {
      await act;
      return (await api.get({ id })).last_activity_at;
    };
    const event = (day: number) => events.create({ contact_id: id, type: 'viewed', created_at: at(day) });
    const sent = (day: number) =>
      contacts.deliver(
        communicationDispatched,
        { communication_id: day, campaign_contact_id: 1, contact_id: id },
        new Date(at(day)),
      );
    expect(await after(api.patch({ id, first_name: 'Bob' }))).toBeNull();
    expect(await after(event(2))).toBe(at(2));
    expect(await after(event(1))).toBe(at(2));
    expect(await after(sent(4))).toBe(at(4));
    expect(await after(sent(3))).toBe(at(4));
    const last = await event(6);
    expect(await after(sent(5))).toBe(at(6));
    expect(await after(events.patch({ id: last.id, description: 'Again' }))).toBe(at(6));
    expect(await after(events.remove({ id: last.id }))).toBe(at(5));
    const text = { text_id: 'SM1', contact_ids: [id], description: 'Yes', at: at(7) };
    expect(await after(contacts.asSystem.events.recordText(text))).toBe(at(7));
    expect(await after(api.patch({ id, last_activity_at: at(9) } as never))).toBe(at(7));
  });

  it('is written a minute later, once, when many messages are sent at once', async () => {
    const { contacts: api } = contacts.as(someone());
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await api.create({})).id));
    const send = (day: number) =>
      emFor(contacts.database.orm, system).transactional(async (em) => {
        const one = (contact_id: number) => ({ data: { contact_id }, time: at(day) }) as never;
        await noteMessagesWhenCommunicationsDispatched({ em, events: [...ids, ...ids].map(one) });
      });
    const found = async () => {
      const shown = await Promise.all(ids.map(async (id) => (await api.get({ id })).last_activity_at));
      return [...new Set(shown)];
    };
    await send(4);
    await send(3);
    expect(await writeKeptMessages(contacts.database.query)).toBe(false);
    expect(await found()).toEqual([null]);
    await contacts.rows("update sent_messages set kept_at = now() - interval '1 minute'");
    await api.remove({ id: ids.pop() ?? 0 });
    await writeKeptMessages(contacts.database.query);
    expect(await found()).toEqual([at(4)]);
    expect(await contacts.rows('select from sent_messages')).toEqual([]);
  });

  it('is filtered and sorted by', async () => {
    const { contacts: api, events } = contacts.as(someone());
    const ids = await Promise.all([1, 2, 3].map(async () => (await api.create({})).id));
    for (const [index, contact_id] of ids.slice(0, 2).entries())
      await events.create({ contact_id, type: 'viewed', created_at: at(index + 1) });
    const list = async (find: object) => (await api.find(find)).data.map(({ id }) => ids.indexOf(id));
    expect(await list({ last_activity_at: { $gte: at(2) } })).toEqual([1]);
    expect(await list({ last_activity_at: { $ne: 'null' }, $sort: { last_activity_at: -1 } })).toEqual([
      1, 0,
    ]);
    expect(await list({ last_activity_at: 'null' })).toEqual([2]);
  });

  it('changes without a deadlock when events come at once', async () => {
    const { contacts: api, events } = contacts.as(someone());
    const { id } = await api.create({});
    const days = [1, 2, 3, 4];
    const began = await contacts.rows(
      'select deadlocks from pg_stat_database where datname = current_database()',
    );
    await Promise.all(
      days.map((day) => events.create({ contact_id: id, type: 'viewed', created_at: at(day) })),
    );
    expect((await api.get({ id })).last_activity_at).toBe(at(4));
    await contacts.rows('select pg_stat_force_next_flush()');
    expect(
      await contacts.rows('select deadlocks from pg_stat_database where datname = current_database()'),
    ).toEqual(began);
  });
});
