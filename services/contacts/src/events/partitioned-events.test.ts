import { keepPartitions } from '@crm/messaging';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { eventPartitions } from './event-partitions.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);
// Another file may have used the database before, and its ids.
await contacts.rows("select setval('events_id_seq', 1, false)");

const ids = 1_000;
let ended = 0;

const keep = (days?: number) =>
  keepPartitions(contacts.database.ownConnection(), [{ ...eventPartitions, ids, days }]);

/** What is recorded before this and after it is in two partitions. */
async function endPartition() {
  const { id } = await contacts.as(someone()).contacts.create({});
  ended += ids;
  await contacts.rows(
    `insert into events (id, user_id, contact_id, source, type, created_at, modified_at)
     values ($1, 1, $2, 'api', 'x', now() - interval '10 years', now() - interval '10 years')`,
    [ended - 60, id],
  );
  await contacts.rows(`select setval('events_id_seq', $1)`, [ended]);
  await keep();
  expect(await contacts.rows(`select from pg_class where relname = $1`, [`events_${ended}`])).toHaveLength(1);
}

/** As if so many days had passed since then. */
const age = (days: number) =>
  contacts.rows(
    'update events set created_at = created_at - make_interval(days => $1), modified_at = modified_at - make_interval(days => $1)',
    [days],
  );

describe('contact events in several partitions', () => {
  it('are listed, counted, read, changed and removed as if there were one', async () => {
    const { contacts: api, events, eventProperties } = contacts.as(someone());
    const { id: contact_id } = await api.create({});
    const recorded: number[] = [];
    for (let partition = 0; partition < 3; partition++) {
      for (const type of ['call', 'visit']) recorded.push((await events.create({ contact_id, type })).id);
      await endPartition();
    }
    const list = async (find: object) => {
      const { total, data } = await events.find(find);
      return { total, ids: data.map(({ id }) => id) };
    };
    for (const find of [{ contact_id }, {}]) {
      expect(await list({ ...find, $sort: { id: -1 }, $limit: 3 })).toEqual({
        total: 6,
        ids: recorded.toReversed().slice(0, 3),
      });
      expect(await list({ ...find, $skip: 1, type: 'call' })).toEqual({
        total: 3,
        ids: [recorded[2], recorded[4]],
      });
    }
    const [first = 0] = recorded;
    await events.patch({ id: first, description: 'Again' });
    const property = await eventProperties.create({ event_id: first, beds: 3 });
    expect(await events.get({ id: first })).toMatchObject({
      description: 'Again',
      property: { id: property.id },
    });
    await events.remove({ id: first });
    expect(await contacts.rows('select from event_properties where id = $1', [property.id])).toEqual([]);
    await api.remove({ id: contact_id });
    expect(await contacts.rows('select from events where contact_id = $1', [contact_id])).toEqual([]);
  });

  it('are texts that are recorded once, in whichever partition', async () => {
    const anna = someone();
    const { id } = await contacts.as(anna).contacts.create({});
    const text = { text_id: 'SM1', contact_ids: [id], description: 'Yes', at: '2026-03-02T18:00:00.000Z' };
    const { recordText } = contacts.asSystem.events;
    await recordText(text);
    await endPartition();
    await Promise.all([recordText(text), recordText(text)]);
    const later = { ...text, text_id: 'SM2' };
    await Promise.all([recordText(later), recordText(later), recordText(later)]);
    const { data } = await contacts.as(anna).events.find({ contact_id: id });
    expect(data).toHaveLength(2);
  });

  it('are dropped with their properties when all of a partition are old, and leave the last activity', async () => {
    const { contacts: api, events, eventProperties } = contacts.as(someone());
    const [{ id: contact_id }, { id: other_id }] = [await api.create({}), await api.create({})];
    const old = await events.create({ contact_id, type: 'call' });
    const others = await events.create({ contact_id: other_id, type: 'call' });
    await eventProperties.create({ event_id: old.id });
    await endPartition();
    await age(40);
    const { id } = await events.create({ contact_id, type: 'visit', created_at: '2020-01-01T00:00:00.000Z' });
    expect(await api.get({ id: contact_id })).toMatchObject({ last_activity_at: old.created_at });
    await keep(50);
    expect(await events.find({ contact_id })).toMatchObject({ total: 2 });
    await keep(30);
    expect(await events.find({})).toMatchObject({ total: 1, data: [{ id }] });
    await expect(events.get({ id: old.id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await contacts.rows('select from event_properties')).toEqual([]);
    expect(await api.get({ id: other_id })).toMatchObject({ last_activity_at: others.created_at });
    // It is older than what was dropped.
    await events.remove({ id });
    expect(await api.get({ id: contact_id })).toMatchObject({ last_activity_at: old.created_at });
    await api.remove({ id: contact_id });
  });
});
