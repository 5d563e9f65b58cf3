import type { User } from '@crm/auth';
import { agentOf } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dripsIn, scheduleOf, wholeDrip } from '../../test/drip.ts';
import { campaignsUnderTest } from '../../test/harness.ts';
import { enrolWaiting } from './enrol-waiting.ts';
import { removeCampaignContactsWhenContactRemoved } from './remove-campaign-contacts-when-contact-removed.ts';
import { removeContactsOfRemovedCampaigns } from './remove-contacts-of-removed-campaigns.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
afterEach(() => service.schedulingBecomes('available'));

const { campaignOf, contactOf, setUp } = dripsIn(service);
const { everythingOf, letTimePass, scheduledFor } = scheduleOf(service);
const of = (user: User) => service.as(user).campaignContacts;

/** The contacts left in a campaign after the worker has run. */
const leftOf = async (campaign_id: number) => {
  await removeContactsOfRemovedCampaigns(service);
  return service.rows('select id from campaign_contacts where campaign_id = $1', [campaign_id]);
};

describe('removing a contact from a campaign', () => {
  it('is possible for the user who added it after the campaign is no longer shared, but adding is not', async () => {
    const broker = await service.person();
    const agent = { ...(await service.person()), broker: agentOf(broker).broker };
    const { campaign_id } = await campaignOf(broker, true);
    const contact_id = await contactOf(agent);
    const { id } = await of(agent).create({ campaign_id, contact_id });
    await service.as(broker).campaigns.patch({ id: campaign_id, is_broker_sharing_on: false });
    const agents = [agent, { ...agent, broker: null }];
    for (const user of agents) {
      expect((await of(user).find({ campaign_id })).data).toMatchObject([{ id, contact_id }]);
      expect(await of(user).get({ campaign_id, id })).toMatchObject({ id });
      const missing = { name: 'NotFound' };
      await expect(of(user).create({ campaign_id, contact_id })).rejects.toMatchObject(missing);
      await expect(service.as(user).campaigns.get({ id: campaign_id })).rejects.toMatchObject(missing);
    }
    const other = { ...(await service.person()), broker: agentOf(broker).broker };
    await expect(of(other).find({ campaign_id })).rejects.toMatchObject({ name: 'NotFound' });
    await expect(of(other).remove({ campaign_id, id })).rejects.toMatchObject({ name: 'NotFound' });
    expect(await of(agent).remove({ campaign_id, id })).toMatchObject({ id });
    expect((await scheduledFor(agent, contact_id, id)).communications).toEqual([]);
    await expect(of(agent).find({ campaign_id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('removes what has not been sent or done, and keeps the rest', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const { id } = await of(anna).create({ campaign_id, contact_id });
    const other = await of(anna).create({ campaign_id, contact_id });
    const scheduling = service.scheduling.as(anna);
    const { communications, tasks } = await scheduledFor(anna, contact_id, id);
    const done = await scheduling.communications.patch({
      contact_id,
      id: communications[0]?.id ?? 0,
      is_active: false,
    });
    await scheduling.tasks.patch({ id: tasks[0]?.id ?? 0, status: 'complete' });
    expect(await of(anna).remove({ campaign_id, id })).toMatchObject({ id, contact_id });
    await expect(of(anna).get({ campaign_id, id })).rejects.toMatchObject({ name: 'NotFound' });
    const left = await scheduledFor(anna, contact_id, id);
    expect(left.communications).toEqual([done]);
    expect(left.tasks).toMatchObject([{ id: tasks[0]?.id, status: 'complete' }]);
    expect(await everythingOf(other.id)).toEqual(wholeDrip);
  });

  it('removes it from scheduling even if one instance does not respond', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const { id } = await of(anna).create({ campaign_id, contact_id });
    expect(await everythingOf(id)).toEqual(wholeDrip);
    service.schedulingBecomes('silent once');
    await of(anna).remove({ campaign_id, id });
    expect(await everythingOf(id)).toEqual([]);
  });

  it('before it is scheduled prevents anything from being scheduled', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    service.schedulingBecomes('unavailable');
    const { id } = await of(anna).create({ campaign_id, contact_id });
    const [waiting] = await service.rows('select plan from campaign_contacts where id = $1', [id]);
    service.schedulingBecomes('available');
    await of(anna).remove({ campaign_id, id });
    await letTimePass();
    await enrolWaiting(service.workerContext);
    expect(await everythingOf(id)).toEqual([]);
    // Simulates a worker that leased it before the removal.
    await service.scheduling.asSystem.enrolments.enrol({
      campaign_contact_id: id,
      plan: waiting?.plan as Parameters<typeof service.scheduling.asSystem.enrolments.enrol>[0]['plan'],
    });
    expect(await everythingOf(id)).toEqual([]);
  });
});

describe('removing a campaign', () => {
  it('removes all contacts, whoever added them, and everything that has not been sent or done', async () => {
    const broker = await service.person();
    const agent = { ...(await service.person()), broker: agentOf(broker).broker };
    const { campaign_id } = await campaignOf(broker, true);
    const made = [
      await of(broker).create({ campaign_id, contact_id: await contactOf(broker) }),
      await of(agent).create({ campaign_id, contact_id: await contactOf(agent) }),
    ];
    service.schedulingBecomes('unavailable');
    made.push(await of(agent).create({ campaign_id, contact_id: await contactOf(agent) }));
    service.schedulingBecomes('available');
    await service.as(broker).campaigns.remove({ id: campaign_id });
    for (const { id } of made) expect(await everythingOf(id)).toEqual([]);
    await letTimePass();
    await enrolWaiting(service.workerContext);
    for (const { id } of made) expect(await everythingOf(id)).toEqual([]);
    expect(await leftOf(campaign_id)).toEqual([]);
  });

  it('removes its contacts in portions, however many there are, and does not wait for locked ones', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const { id: locked } = await of(anna).create({ campaign_id, contact_id });
    await service.rows(
      `insert into campaign_contacts (campaign_id, contact_id, user_id, created_at, modified_at, scheduled_at)
       select $1, 1, 1, now(), now(), now() from generate_series(1, 4500)`,
      [campaign_id],
    );
    await service.as(anna).campaigns.remove({ id: campaign_id });
    await service.database.orm.em.fork().transactional(async (em) => {
      await em.execute('select from campaign_contacts where id = ? for update', [locked]);
      await removeContactsOfRemovedCampaigns(service);
      expect(
        await service.rows('select id from campaign_contacts where campaign_id = $1', [campaign_id]),
      ).toEqual([{ id: locked }]);
    });
    expect(await leftOf(campaign_id)).toEqual([]);
    expect(await service.rows('select * from removed_campaigns')).toEqual([]);
  });

  it('leaves no contact that is added at the same time, and nothing to send', async () => {
    for (let round = 0; round < 5; round++) {
      const { anna, campaign_id, contact_id } = await setUp();
      const [removal, ...additions] = await Promise.allSettled([
        service.as(anna).campaigns.remove({ id: campaign_id }),
        ...Array.from({ length: 8 }, () => of(anna).create({ campaign_id, contact_id })),
      ]);
      expect(removal.status).toBe('fulfilled');
      for (const addition of additions)
        if (addition.status === 'rejected') expect(addition.reason).toMatchObject({ name: 'NotFound' });
      expect(await leftOf(campaign_id)).toEqual([]);
      expect(await scheduledFor(anna, contact_id)).toEqual({ communications: [], tasks: [] });
    }
  });
});

describe('a contact that is removed', () => {
  const removal = async (contact_id: number) => {
    const fork = service.database.orm.em.fork();
    await fork.transactional((em) =>
      removeCampaignContactsWhenContactRemoved({
        em,
        event: {
          specversion: '1.0',
          id: crypto.randomUUID(),
          source: 'crm/contacts',
          type: 'crm.contacts.contact.removed',
          subject: `contact/${contact_id}`,
          time: new Date().toISOString(),
          datacontenttype: 'application/json',
          aggregateversion: 2,
          actor: 'user/1',
          requestid: 'removal',
          data: { contact_id, owner_user_id: 1, assigned_user_id: null },
        },
      }),
    );
  };

  it('is removed from all campaigns, and each removal is published', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const other = await contactOf(anna);
    const removed = await of(anna).create({ campaign_id, contact_id });
    const kept = await of(anna).create({ campaign_id, contact_id: other });
    await removal(contact_id);
    expect((await of(anna).find({ campaign_id })).data).toEqual([kept]);
    expect((await service.published()).at(-1)).toMatchObject({
      type: 'crm.campaigns-templates.campaign-contact.removed',
      data: { campaign_contact_id: removed.id, campaign_id, user_id: anna.id },
      aggregateversion: 2,
    });
  });

  it('cannot be added by a request that saw it just before its removal', async () => {
    for (let round = 0; round < 5; round++) {
      const { anna, campaign_id, contact_id } = await setUp();
      const [, ...additions] = await Promise.allSettled([
        removal(contact_id),
        ...Array.from({ length: 6 }, () => of(anna).create({ campaign_id, contact_id })),
      ]);
      for (const addition of additions)
        if (addition.status === 'rejected')
          expect(addition.reason).toMatchObject({ errors: { contact_id: `'${contact_id}' does not exist` } });
      expect((await of(anna).find({ campaign_id })).total).toBe(0);
    }
  });
});
