import { agentOf, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

describe('a contact source', () => {
  it('belongs to its user: strangers cannot read, change or remove it', async () => {
    const anna = contacts.as(someone());
    const { id } = await anna.contactSources.create({ name: 'Open house' });
    const stranger = contacts.as(someone()).contactSources;

    await expect(stranger.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(stranger.patch({ id, name: 'Mine' })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(stranger.remove({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await stranger.find({})).toMatchObject({ total: 0 });
    expect(await anna.contactSources.get({ id })).toMatchObject({ name: 'Open house' });
  });

  it('is found by its name, and must have one', async () => {
    const { contactSources } = contacts.as(someone());
    const { id } = await contactSources.create({ name: 'Zillow' });
    await contactSources.create({ name: 'Trulia' });
    expect(await contactSources.find({ name: 'Zillow' })).toMatchObject({ total: 1, data: [{ id }] });
    await expect(contactSources.create({ name: '' })).rejects.toMatchObject({
      errors: { name: 'must not be empty' },
    });
    await expect(contactSources.patch({ id, name: '' })).rejects.toMatchObject({ name: 'BadRequest' });
  });

  it('cannot be added by sub-accounts whose broker forbids new lead sources, and they get no lead source', async () => {
    const [broker, allowed] = [someone(), agentOf(someone())];
    const agent = agentOf(broker, { is_lead_sources_new_enabled: false });
    const refused = contacts.as(agent).contactSources.create({ name: 'Open house' });
    await expect(refused).rejects.toMatchObject({ name: 'Forbidden' });
    expect(await contacts.as(agent).contactSources.find({})).toMatchObject({ total: 0 });
    const owners = (await contacts.published()).map(({ data }) => (data as { user_id?: number }).user_id);
    expect(owners).not.toContain(agent.id);
    for (const user of [broker, allowed]) {
      expect(await contacts.as(user).contactSources.create({ name: 'Sign' })).toMatchObject({ name: 'Sign' });
    }
  });

  it('is removed from the contacts that have it when it is removed', async () => {
    const { contactSources, contacts: api } = contacts.as(someone());
    const source = await contactSources.create({ name: 'Zillow' });
    const { id } = await api.create({ source_id: source.id });
    expect(await contactSources.remove({ id: source.id })).toMatchObject(source);
    expect(await api.get({ id })).toMatchObject({ source_id: null, source: null });
  });
});
