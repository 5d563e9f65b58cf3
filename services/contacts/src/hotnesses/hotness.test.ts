import { agentOf, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

const cold = { name: 'Cold', rank: 1, color: '#0000ff' };
const hot = { name: 'Hot', rank: 14, color: '#3b274c' };

describe('hotnesses', () => {
  it('are listed by rank', async () => {
    const anna = contacts.as(someone());
    await anna.hotnesses.create(hot);
    await anna.hotnesses.create(cold);

    expect(await anna.hotnesses.find({})).toMatchObject({ total: 2, limit: 10, skip: 0, data: [cold, hot] });
  });

  it('of the broker are shown to sub-accounts only if the broker allows it', async () => {
    const broker = someone();
    const { id } = await contacts.as(broker).hotnesses.create(hot);

    const shown = contacts.as(agentOf(broker, { user_can_see_broker_hotnesses: true }));
    const kept = contacts.as(agentOf(broker, { user_can_see_broker_hotnesses: false }));
    expect(await shown.hotnesses.find({})).toMatchObject({ total: 1, data: [hot] });
    expect(await kept.hotnesses.find({})).toMatchObject({ total: 0, data: [] });
    expect(await shown.hotnesses.get({ id })).toMatchObject(hot);
    await expect(kept.hotnesses.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('of the broker can be used by a sub-account, but not changed', async () => {
    const broker = someone();
    const { id } = await contacts.as(broker).hotnesses.create(hot);

    const agent = contacts.as(agentOf(broker, { user_can_see_broker_hotnesses: true }));
    await expect(agent.contacts.create({ hotness_id: id })).resolves.toMatchObject({ hotness: hot });
    await expect(agent.hotnesses.patch({ id, name: 'Mine' })).rejects.toMatchObject({
      name: 'Forbidden',
      message: 'Only the owner of a hotness may change or remove it.',
    });
    await expect(agent.hotnesses.remove({ id })).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await contacts.as(broker).hotnesses.get({ id })).toMatchObject(hot);
  });

  // A different error for a record that exists would let anyone count the records of others.
  it.each(['get', 'patch', 'remove'] as const)('of a stranger do not exist for %s', async (verb) => {
    const { id } = await contacts.as(someone()).hotnesses.create(hot);
    const stranger = contacts.as(someone());

    const foreign = await stranger.hotnesses[verb]({ id }).catch((error: Error) => error);
    const missing = await stranger.hotnesses[verb]({ id: 999_999 }).catch((error: Error) => error);
    expect(foreign).toMatchObject({ name: 'NotFound', message: `No record found for id '${id}'` });
    expect(missing).toMatchObject({ name: 'NotFound', message: "No record found for id '999999'" });
    expect(await contacts.rows('select from hotnesses where id = $1', [id])).toHaveLength(1);
  });

  it('cannot be created by sub-accounts whose broker forbids it', async () => {
    const agent = contacts.as(agentOf(someone(), { user_can_create_own_hotnesses: false }));
    await expect(agent.hotnesses.create(hot)).rejects.toMatchObject({
      name: 'Forbidden',
      message: 'Your broker does not let you add hotnesses.',
    });
  });

  it('are removed from the contacts that have them when they are removed', async () => {
    const anna = contacts.as(someone());
    const { id } = await anna.hotnesses.create(hot);
    const contact = await anna.contacts.create({ hotness_id: id });

    expect(await anna.hotnesses.remove({ id })).toMatchObject({ id, ...hot });
    expect(await anna.contacts.get({ id: contact.id })).toMatchObject({ hotness_id: null, hotness: null });
  });

  it('publish events with increasing versions', async () => {
    const anna = someone();
    const { hotnesses } = contacts.as(anna);
    const { id } = await hotnesses.create(hot);
    await hotnesses.patch({ id, name: 'Hotter' });
    await hotnesses.remove({ id });

    const data = { hotness_id: id, user_id: anna.id };
    const events = (await contacts.published()).filter((event) => event.data.hotness_id === id);
    expect(events).toMatchObject([
      { type: 'crm.contacts.hotness.created', data, aggregateversion: 1 },
      { type: 'crm.contacts.hotness.changed', data, aggregateversion: 2 },
      { type: 'crm.contacts.hotness.removed', data, aggregateversion: 3 },
    ]);
  });

  it('keep both of two concurrent changes to different fields', async () => {
    const { hotnesses } = contacts.as(someone());
    const { id } = await hotnesses.create(hot);
    await Promise.all([hotnesses.patch({ id, name: 'Warm' }), hotnesses.patch({ id, rank: 3 })]);
    expect(await hotnesses.get({ id })).toMatchObject({ name: 'Warm', rank: 3 });
  });
});
