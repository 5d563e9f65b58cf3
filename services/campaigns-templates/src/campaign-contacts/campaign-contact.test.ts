import type { User } from '@crm/auth';
import { agentOf, someone } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dripsIn, scheduleOf, wholeDrip } from '../../test/drip.ts';
import { campaignsUnderTest } from '../../test/harness.ts';
import { enrolWaiting } from './enrol-waiting.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
afterEach(() => service.schedulingBecomes('available'));

const { campaignOf, contactOf, setUp } = dripsIn(service);
const { everythingOf, letTimePass, scheduledFor } = scheduleOf(service);
const of = (user: User) => service.as(user).campaignContacts;

describe('a contact in a campaign', () => {
  it('is returned after it has been scheduled, and can then be read', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const made = await of(anna).create({ campaign_id, contact_id });
    expect(made).toEqual({
      id: made.id,
      campaign_id,
      contact_id,
      user_id: anna.id,
      created_at: made.created_at,
      modified_at: made.created_at,
      scheduled_at: expect.stringMatching(/Z$/),
    });
    expect(await of(anna).get({ campaign_id, id: made.id })).toEqual(made);
    expect((await of(anna).find({ campaign_id })).data).toEqual([made]);
    const { communications, tasks } = await scheduledFor(anna, contact_id, made.id);
    expect(communications).toMatchObject([
      {
        type: 'Email Contact',
        campaign_contact_id: made.id,
        contact_id,
        template_subject: 'For {{contact.first_name}}',
        template_name: 'Email #1',
        template_folder_name: 'Drip folder',
        send_from_user_id: anna.id,
        is_active: true,
      },
      { type: 'Text Contact', is_stopped_on_text_reply: true, template_subject: null },
    ]);
    expect(tasks).toMatchObject([
      { action_type: 'Agent Task - Call Reminder', owner_user_id: anna.id, notes: 'Ring twice', contact_id },
    ]);
  });

  it('can be added to the same campaign again, with its own schedule', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const [first, second] = [
      await of(anna).create({ campaign_id, contact_id }),
      await of(anna).create({ campaign_id, contact_id }),
    ];
    expect(first.id).not.toBe(second.id);
    for (const { id } of [first, second]) expect(await everythingOf(id)).toEqual(wholeDrip);
    expect((await of(anna).find({ campaign_id, contact_id })).data).toEqual([first, second]);
  });

  it('is added once per Idempotency-Key, and repeated requests get the same response', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const options = { idempotencyKey: 'add once' };
    const add = () => of(anna).create({ campaign_id, contact_id }, options);
    service.schedulingBecomes('unavailable');
    const first = await add();
    expect(first.scheduled_at).toBeNull();
    service.schedulingBecomes('available');
    const again = await add();
    expect(again).toEqual({ ...first, scheduled_at: expect.any(String) });
    expect(await add()).toEqual(again);
    expect((await of(anna).find({ campaign_id })).data).toEqual([again]);
    expect(await everythingOf(first.id)).toEqual(wholeDrip);
    await of(anna).remove({ campaign_id, id: first.id });
    expect(await add()).toEqual(again);
    expect(await everythingOf(first.id)).toEqual([]);
    expect((await of(anna).find({ campaign_id })).total).toBe(0);
  });

  it.each([
    [{}, 'is required'],
    [{ contact_id: null }, 'must be the id of a record'],
    [{ contact_id: 0 }, expect.any(String)],
    [{ contact_id: 'Carla' }, 'must be the id of a record'],
    [{ contact_id: 2 ** 40 }, expect.any(String)],
  ])('is not added from %j', async (draft, text) => {
    const { anna, campaign_id } = await setUp();
    await expect(
      of(anna).create({ campaign_id, ...(draft as { contact_id: number }) }),
    ).rejects.toMatchObject({
      name: 'BadRequest',
      errors: { contact_id: text },
    });
    expect((await of(anna).find({ campaign_id })).total).toBe(0);
  });

  it('is scheduled under the delegation of the broker who added it, if one did', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const { id: broker } = await service.person();
    const acting: User = { ...anna, act: { id: broker, delegation_id: 77 } };
    const delegations = [];
    for (const user of [acting, anna]) {
      const { id } = await of(user).create({ campaign_id, contact_id });
      const noted = 'select delegation_id from enrolments where campaign_contact_id = $1';
      delegations.push(...(await service.scheduling.rows(noted, [id])));
    }
    expect(delegations).toEqual([{ delegation_id: 77 }, { delegation_id: null }]);
  });

  it('is published by ids when it is added and removed', async () => {
    const { anna, campaign_id, contact_id } = await setUp();
    const { id } = await of(anna).create({ campaign_id, contact_id });
    await of(anna).remove({ campaign_id, id });
    const published = (await service.published()).slice(-2);
    expect(published).toMatchObject(
      ['created', 'removed'].map((what, index) => ({
        type: `crm.campaigns-templates.campaign-contact.${what}`,
        data: { campaign_contact_id: id, campaign_id, user_id: anna.id },
        aggregateversion: index + 1,
      })),
    );
    expect(JSON.stringify(published)).not.toContain('Carla');
  });
});

describe('the right to add contacts to campaigns', () => {
  it('belongs to everyone who sees the campaign: one of their own, of their broker, or built in', async () => {
    const broker = await service.person();
    const agent = { ...(await service.person()), broker: agentOf(broker).broker };
    const contact_id = await contactOf(agent);
    const [shared, hidden] = [await campaignOf(broker, true), await campaignOf(broker)];
    const [row] = await service.rows(
      `insert into campaigns (name, is_broker_sharing_on, is_default, created_at, modified_at)
       values ('Starter', false, true, now(), now()) returning id`,
    );
    for (const campaign_id of [shared.campaign_id, Number(row?.id)])
      expect(await of(agent).create({ campaign_id, contact_id })).toMatchObject({
        user_id: agent.id,
        scheduled_at: expect.any(String),
      });
    for (const campaign_id of [hidden.campaign_id, 999_999])
      for (const ask of [
        () => of(agent).create({ campaign_id, contact_id }),
        () => of(agent).create({ campaign_id, contact_id: 999_999 }),
        () => of(agent).find({ campaign_id }),
        () => of(agent).get({ campaign_id, id: 1 }),
        () => of(agent).remove({ campaign_id, id: 1 }),
      ])
        await expect(ask()).rejects.toMatchObject({ name: 'NotFound' });
  });

  it('requires seeing the contact, with the same error if it does not exist', async () => {
    const { anna, campaign_id } = await setUp();
    const foreign = await contactOf(someone());
    for (const contact_id of [foreign, 999_999])
      await expect(of(anna).create({ campaign_id, contact_id })).rejects.toMatchObject({
        name: 'BadRequest',
        errors: { contact_id: `'${contact_id}' does not exist` },
      });
    expect((await of(anna).find({ campaign_id })).total).toBe(0);
  });

  it('does not show the contacts that others have added, not even to the owner of the campaign', async () => {
    const broker = await service.person();
    const { campaign_id } = await campaignOf(broker, true);
    const agents = [await service.person(), await service.person()].map((one) => ({
      ...one,
      broker: agentOf(broker).broker,
    }));
    const made = [];
    for (const agent of agents)
      made.push(await of(agent).create({ campaign_id, contact_id: await contactOf(agent) }));
    for (const [index, agent] of agents.entries()) {
      expect((await of(agent).find({ campaign_id })).data).toEqual([made[index]]);
      const other = { campaign_id, id: made[1 - index]?.id ?? 0 };
      for (const ask of [of(agent).get, of(agent).remove, of(broker).get, of(broker).remove])
        await expect(ask(other)).rejects.toMatchObject({ name: 'NotFound' });
    }
    expect((await of(broker).find({ campaign_id })).total).toBe(0);
    const elsewhere = await campaignOf(broker, true);
    await expect(
      of(agents[0] ?? broker).get({ campaign_id: elsewhere.campaign_id, id: made[0]?.id ?? 0 }),
    ).rejects.toMatchObject({ name: 'NotFound' });
  });
});

describe('what is scheduled for a contact', () => {
  it('follows the campaign, its actions and templates as they were when it was added, whatever changes later', async () => {
    const { anna, campaign_id, contact_id, template } = await setUp();
    service.schedulingBecomes('unavailable');
    const { id } = await of(anna).create({ campaign_id, contact_id });
    const api = service.as(anna);
    const { name } = await api.campaigns.get({ id: campaign_id });
    const [email, text] = (await api.campaignActions.find({ campaign_id })).data;
    await api.campaigns.patch({ id: campaign_id, name: 'Another name' });
    await api.campaignActions.remove({ campaign_id, id: text?.id ?? 0 });
    await api.campaignActions.patch({ campaign_id, id: email?.id ?? 0, delay_by_seconds: 1 });
    await api.templateFolders.remove({ id: template.template_folder_id });
    service.schedulingBecomes('available');
    await letTimePass();
    await enrolWaiting(service.workerContext);
    const { communications, tasks } = await scheduledFor(anna, contact_id, id);
    const { created_at } = await of(anna).get({ campaign_id, id });
    const inAnHour = new Date(Date.parse(created_at) + 3_600_000).toISOString();
    expect(communications).toMatchObject([
      { type: 'Email Contact', campaign_name: name, template_name: 'Email #1', send_at: inAnHour },
      { type: 'Text Contact', campaign_name: name, send_at: inAnHour },
    ]);
    expect(tasks).toHaveLength(1);
  });

  it('is kept when actions and templates are changed or removed', async () => {
    const { anna, campaign_id, contact_id, template } = await setUp();
    const { id } = await of(anna).create({ campaign_id, contact_id });
    const before = await scheduledFor(anna, contact_id, id);
    const api = service.as(anna);
    for (const action of (await api.campaignActions.find({ campaign_id })).data)
      await api.campaignActions.remove({ campaign_id, id: action.id });
    await api.templateFolders.remove({ id: template.template_folder_id });
    expect(await scheduledFor(anna, contact_id, id)).toEqual(before);
  });
});
