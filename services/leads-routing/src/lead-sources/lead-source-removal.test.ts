import type { User } from '@crm/auth';
import { contactSourceChanged, contactSourceCreated, contactSourceRemoved } from '@crm/events';
import { absent, openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { leadsUnderTest } from '../../test/harness.ts';

const service = await leadsUnderTest();
afterAll(service.close);

const created = { type: contactSourceCreated, version: 1 };
const renamed = { type: contactSourceChanged, version: 2 };
const removed = { type: contactSourceRemoved, version: 3 };

/** A contact source of a user, with functions to rename or remove it and to deliver the events about it. */
async function sourceOf(user: User, name = 'Open house') {
  const { contactSources } = service.contacts.as(user);
  const { id } = await contactSources.create({ name });
  const tell = ({ type, version }: typeof created | typeof renamed | typeof removed, said: string) =>
    service.deliver(type, { contact_source_id: id, user_id: user.id, name: said }, new Date(), version);
  return {
    id,
    tell,
    rename: async (to: string) => void (await contactSources.patch({ id, name: to })),
    remove: async () => void (await contactSources.remove({ id })),
  };
}

/** The names of a user's stored lead sources except the default ones, without a call to contacts. */
async function stored({ id }: User) {
  const rows = await service.rows('select name from lead_sources where user_id = $1 order by id', [id]);
  return rows.map(({ name }) => String(name)).slice(6);
}

const find = async (user: User, name: string) => {
  const { data } = await service.as(user).leadSources.find({ name });
  return data[0]?.id;
};

describe('lead sources of a contact source that was renamed or removed', () => {
  it('are renamed or removed with it if nothing refers to them', async () => {
    const anna = await service.person();
    const source = await sourceOf(anna);
    expect(await find(anna, 'Open house')).toBeDefined();
    await source.rename('Sign');
    await source.tell(renamed, 'Sign');
    expect(await stored(anna)).toEqual(['Sign']);
    await source.remove();
    await source.tell(removed, 'Sign');
    expect(await stored(anna)).toEqual([]);
    for (const name of ['Open house', 'Sign']) expect(await find(anna, name)).toBeUndefined();
  });

  it('are found by the new name and not by the old one by the very next request', async () => {
    const anna = await service.person();
    const source = await sourceOf(anna);
    expect(await find(anna, 'Open house')).toBeDefined();
    await source.rename('Sign');
    expect(await find(anna, 'Sign')).toBeDefined();
    expect(await find(anna, 'Open house')).toBeUndefined();
  });

  it('are removed by the very next request, and stay removed when the event arrives', async () => {
    const anna = await service.person();
    const source = await sourceOf(anna);
    await source.rename('Sign');
    expect(await find(anna, 'Sign')).toBeDefined();
    await source.remove();
    expect(await find(anna, 'Sign')).toBeUndefined();
    for (const [said, name] of [
      [renamed, 'Sign'],
      [removed, 'Sign'],
    ] as const)
      await source.tell(said, name);
    expect(await stored(anna)).toEqual([]);
  });

  it('can be default ones', async () => {
    const anna = await service.person();
    expect((await service.as(anna).leadSources.find({})).total).toBe(6);
    const { contactSources } = service.contacts.as(anna);
    const { data } = await contactSources.find({ name: 'Zillow' });
    const id = Number(data[0]?.id);
    await contactSources.remove({ id });
    const said = { contact_source_id: id, user_id: anna.id, name: 'Zillow' };
    await service.deliver(contactSourceRemoved, said, new Date(), 2);
    expect(await find(anna, 'Zillow')).toBeUndefined();
    expect((await service.as(anna).leadSources.find({})).total).toBe(5);
  });

  it('stay if a route or a lead refers to them', async () => {
    const anna = await service.person();
    const [routed, led, neither] = [
      await sourceOf(anna, 'Routed'),
      await sourceOf(anna, 'Led'),
      await sourceOf(anna, 'Neither'),
    ];
    const { leadRoutes, leads } = service.as(anna);
    const [lead_source_id, source_id] = [await find(anna, 'Routed'), await find(anna, 'Led')];
    const { id: campaign_id } = await service.campaigns.as(anna).campaigns.create({ name: 'Welcome' });
    const target = { campaign_id, contact_source_id: neither.id, distribution_target: 'Myself' } as const;
    await leadRoutes.create({ ...target, lead_source_id: lead_source_id ?? 0 });
    await leads.create({ contact_id: absent, source_id: source_id ?? 0 });
    await led.rename('Renamed');
    await led.tell(renamed, 'Renamed');
    for (const source of [routed, neither]) {
      await source.remove();
      await source.tell(removed, 'any');
    }
    expect(await stored(anna)).toEqual(['Routed', 'Led', 'Renamed']);
    expect([await find(anna, 'Routed'), await find(anna, 'Led')]).toEqual([lead_source_id, source_id]);
    expect(await find(anna, 'Neither')).toBeUndefined();
  });

  it('stay while another contact source has the name', async () => {
    const anna = await service.person();
    const [one, other] = [await sourceOf(anna), await sourceOf(anna)];
    const id = await find(anna, 'Open house');
    await one.remove();
    await one.tell(removed, 'Open house');
    expect(await find(anna, 'Open house')).toBe(id);
    await other.remove();
    await other.tell(removed, 'Open house');
    expect(await find(anna, 'Open house')).toBeUndefined();
  });

  it.each([
    ['in order', [created, renamed, removed]],
    ['the rename first', [renamed, created, removed]],
    ['the rename last', [created, removed, renamed]],
    ['the removal first', [removed, created, renamed]],
    ['backwards', [removed, renamed, created]],
    ['the creation last', [renamed, removed, created]],
  ])('end in the same state, however often events arrive: %s', async (_, order) => {
    const [anna, ben] = [await service.person(), await service.person()];
    const [gone, kept] = [await sourceOf(anna), await sourceOf(ben)];
    await find(anna, 'Open house');
    await find(ben, 'Open house');
    await gone.remove();
    await kept.rename('Sign');
    for (const event of [...order, ...order]) {
      const name = event === created ? 'Open house' : 'Sign';
      await gone.tell(event, name);
      if (event !== removed) await kept.tell(event, name);
    }
    expect(await stored(anna)).toEqual([]);
    expect(await stored(ben)).toEqual(['Sign']);
  });

  it('stay if a lead that is about to be stored refers to them', async () => {
    const anna = await service.person();
    const source = await sourceOf(anna);
    const id = await find(anna, 'Open house');
    await service.as(anna).leads.create({ contact_id: absent });
    await using lead = await openTransaction(
      service.database,
      'update leads set source_id = $1 where creator_user_id = $2',
      [id, anna.id],
    );
    await source.remove();
    const removal = source.tell(removed, 'Open house');
    await untilWaiting(service.rows, [removal]);
    await lead.commit();
    await removal;
    expect(await find(anna, 'Open house')).toBe(id);
  });

  it('are either removed or used by a new lead, never both', async () => {
    const anna = await service.person();
    const { leads } = service.as(anna);
    const outcomes = new Set<string>();
    for (let round = 0; round < 20; round++) {
      const source = await sourceOf(anna, `Source ${round}`);
      const source_id = (await find(anna, `Source ${round}`)) ?? 0;
      await source.remove();
      const [lead] = await Promise.allSettled([
        leads.create({ contact_id: absent, source_id }),
        source.tell(removed, `Source ${round}`),
      ]);
      outcomes.add(lead.status);
      if (lead.status === 'rejected')
        expect(lead.reason).toMatchObject({
          errors: { source_id: 'must be a lead source that you may use' },
        });
      const isThere = (await stored(anna)).includes(`Source ${round}`);
      expect(isThere).toBe(lead.status === 'fulfilled');
    }
    expect(outcomes).toContain('fulfilled');
  });
});
