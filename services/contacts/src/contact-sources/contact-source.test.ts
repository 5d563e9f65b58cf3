import { userCreated } from '@crm/events';
import { agentOf, someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { contactsUnderTest } from '../../test/harness.ts';
import { defaultSourceNames } from './contact-source.api.ts';

const contacts = await contactsUnderTest();
afterAll(contacts.close);

interface Published {
  readonly user_id?: number;
  readonly name?: string;
  readonly sources?: readonly { readonly name: string }[];
}

/** The names in the events about the sources of a user, oldest first. */
async function publishedNames({ id }: { readonly id: number }) {
  const all = (await contacts.published()).map(({ data }) => data as Published);
  const own = all.filter(({ user_id }) => user_id === id);
  return own.flatMap(({ name, sources }) => sources?.map((one) => one.name) ?? [name]);
}

describe('the default contact sources', () => {
  it('are found by the first request of a new account, and are published', async () => {
    const anna = someone();
    const { data } = await contacts.as(anna).contactSources.find({});
    expect(data.map(({ name }) => name)).toEqual(defaultSourceNames);
    expect(await publishedNames(anna)).toEqual(defaultSourceNames);
  });

  it('are added once, however many requests and events there are', async () => {
    const anna = someone();
    const { contactSources } = contacts.as(anna);
    const created = () => contacts.deliver(userCreated, { user_id: anna.id });
    const pages = await Promise.all([
      ...Array.from({ length: 8 }, () => contactSources.find({})),
      created().then(() => contactSources.find({})),
      contactSources.create({ name: 'Sign' }).then(() => contactSources.find({ name: defaultSourceNames })),
    ]);
    for (const { data } of pages)
      expect(data.map(({ name }) => name).slice(0, 6)).toEqual(defaultSourceNames);
    await created();
    expect(await publishedNames(anna)).toHaveLength(7);
  });

  it('stay removed, even if the event of the account is late', async () => {
    const anna = someone();
    const { contactSources } = contacts.as(anna);
    for (const { id } of (await contactSources.find({})).data) await contactSources.remove({ id });
    await contacts.deliver(userCreated, { user_id: anna.id });
    expect(await contactSources.find({})).toMatchObject({ total: 0 });
  });
});

describe('a contact source', () => {
  it('belongs to its user: strangers cannot read, change or remove it', async () => {
    const anna = contacts.as(someone());
    const { id } = await anna.contactSources.create({ name: 'Open house' });
    const stranger = contacts.as(someone()).contactSources;

    await expect(stranger.get({ id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(stranger.patch({ id, name: 'Mine' })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(stranger.remove({ id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await stranger.find({ id })).toMatchObject({ total: 0 });
    expect(await anna.contactSources.get({ id })).toMatchObject({ name: 'Open house' });
  });

  it('is found by its name, and must have one', async () => {
    const { contactSources } = contacts.as(someone());
    const { id } = await contactSources.create({ name: 'Sign' });
    await contactSources.create({ name: 'Open house' });
    expect(await contactSources.find({ name: 'Sign' })).toMatchObject({ total: 1, data: [{ id }] });
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
    expect(await contacts.as(agent).contactSources.find({ name: 'Open house' })).toMatchObject({ total: 0 });
    expect(await publishedNames(agent)).not.toContain('Open house');
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
