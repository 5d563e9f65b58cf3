import type { User } from '@crm/auth';
import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { actionsIn, noTiming, refused, task, text, weekly } from '../../test/actions.ts';
import { campaignsUnderTest } from '../../test/harness.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
const { of, campaignOf, templateOf, campaign } = actionsIn(service);

describe('a campaign action', () => {
  it('shows what was written, and defaults for the rest', async () => {
    const { anna, campaign_id, action } = await campaign();
    expect(action).toEqual({
      ...noTiming,
      ...text,
      id: action.id,
      assigned_user_id: null,
      template_id: null,
      template_metadata_id: null,
      event_trigger_type: '1',
      notes: null,
      is_stopped_on_text_reply: false,
      template: null,
    });
    expect(await of(anna).get({ campaign_id, id: action.id })).toEqual(action);
    expect((await of(anna).find({ campaign_id })).data).toEqual([action]);
  });

  it('is listed only with the actions of its campaign, ordered by id', async () => {
    const { anna, campaign_id, action, create } = await campaign();
    const other = await campaignOf(anna);
    const elsewhere = await of(anna).create({ campaign_id: other, ...text });
    const second = await create(weekly);
    expect((await of(anna).find({ campaign_id })).data).toEqual([action, second]);
    expect((await of(anna).find({ campaign_id, timing_type: 'Recurring' })).data).toEqual([second]);
    for (const ask of [of(anna).get, of(anna).patch, of(anna).remove])
      await expect(ask({ campaign_id, id: elsewhere.id })).rejects.toMatchObject({ name: 'NotFound' });
  });

  it.each([
    [{}, { type: 'is required', timing_type: 'is required' }],
    [{ ...text, type: 'Fax Contact' }, { type: expect.stringContaining('must be one of') }],
    [{ ...text, timing_type: 'Sometime' }, { timing_type: expect.stringContaining('must be one of') }],
    [{ ...text, event_trigger_type: '3' }, { event_trigger_type: 'must be one of 1, 2' }],
    [{ ...text, delay_by_seconds: -1 }, { delay_by_seconds: 'must be at least 0' }],
    [{ ...weekly, delay_by_days: -1 }, { delay_by_days: 'must be at least 0' }],
    [{ ...weekly, dispatch_time: '9:00:00' }, { dispatch_time: 'must look like 09:30:00' }],
    [{ ...weekly, dispatch_time: '24:00:00' }, { dispatch_time: 'must look like 09:30:00' }],
    [{ ...weekly, dispatch_time: '09:00' }, { dispatch_time: 'must look like 09:30:00' }],
    [{ ...task, notes: 'x'.repeat(2001) }, { notes: 'must have at most 2000 characters' }],
  ])('is refused with all errors: %j', async (draft, errors) => {
    const { create, patch } = await campaign();
    await expect(create(draft)).rejects.toMatchObject(refused(errors));
    if ('type' in draft) await expect(patch(draft)).rejects.toMatchObject(refused(errors));
  });

  it.each([
    ['1', '1'],
    ['2', '2'],
    [1, '1'],
    [2, '2'],
  ])('accepts the trigger %j and shows it as %j', async (sent, shown) => {
    const { create, patch } = await campaign();
    expect(await create({ ...text, event_trigger_type: sent })).toMatchObject({ event_trigger_type: shown });
    expect(await patch({ event_trigger_type: sent })).toMatchObject({ event_trigger_type: shown });
  });
});

describe('the actions of a campaign', () => {
  it('are limited to 50, even if the last ones are added at the same time', async () => {
    const { anna, campaign_id, action, create } = await campaign(task);
    for (let n = 2; n < 50; n++) await create(task);
    let removable = action.id;
    // In the first round, connections are still being opened, and the requests may come one after the other.
    for (let round = 0; round < 3; round++) {
      const last = await Promise.allSettled(Array.from({ length: 6 }, () => create(task)));
      const created = last.filter((one) => one.status === 'fulfilled').map(({ value }) => value.id);
      const refusals = last.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
      const full = { name: 'Conflict', message: expect.stringContaining('at most 50 actions') };
      expect(refusals).toMatchObject(Array.from({ length: 5 }, () => full));
      expect((await of(anna).find({ campaign_id, $limit: 0 })).total).toBe(50);
      await of(anna).remove({ campaign_id, id: removable });
      removable = created[0] ?? 0;
    }
  });
});

describe('what clients send for a campaign action', () => {
  it('may be numbers as text, times with an offset, and booleans as text', async () => {
    const { create, patch } = await campaign();
    expect(await create({ ...text, delay_by_seconds: '90', is_stopped_on_text_reply: 'true' })).toMatchObject(
      {
        delay_by_seconds: 90,
        is_stopped_on_text_reply: true,
      },
    );
    expect(await patch({ is_stopped_on_text_reply: 1 })).toMatchObject({ is_stopped_on_text_reply: true });
    expect(await patch({ is_stopped_on_text_reply: 'false' })).toMatchObject({
      is_stopped_on_text_reply: false,
    });
    const exact = { ...text, timing_type: 'Exact Date and Time' };
    for (const [sent, shown] of [
      ['2026-05-06T09:08:09+02:00', '2026-05-06T07:08:09.000Z'],
      ['2026-05-06 07:08:09', '2026-05-06T07:08:09.000Z'],
      ['2026-05-06', '2026-05-06T00:00:00.000Z'],
    ])
      expect(await create({ ...exact, dispatch_datetime: sent })).toMatchObject({ dispatch_datetime: shown });
    for (const sent of ['2026-02-30', 'tomorrow', '2026-13-01T00:00:00Z', 5])
      await expect(create({ ...exact, dispatch_datetime: sent })).rejects.toMatchObject(
        refused({ dispatch_datetime: 'must be a date and time such as 2026-03-01T09:00:00Z' }),
      );
    await expect(create({ ...text, is_stopped_on_text_reply: 'yes' })).rejects.toMatchObject(
      refused({ is_stopped_on_text_reply: 'must be true or false' }),
    );
  });
});

describe('access to campaign actions', () => {
  const seen = async (user: User, campaign_id: number, id: number) => {
    const outcome = (asked: Promise<unknown>) =>
      asked.then(
        () => 'done',
        (error: Error) => error.name,
      );
    return {
      find: await outcome(of(user).find({ campaign_id })),
      get: await outcome(of(user).get({ campaign_id, id })),
      create: await outcome(of(user).create({ campaign_id, ...text })),
      patch: await outcome(of(user).patch({ campaign_id, id, notes: null })),
      remove: await outcome(of(user).remove({ campaign_id, id })),
    };
  };
  const all = (outcome: string) => ({ ...reading(outcome), ...writing(outcome) });
  const reading = (outcome: string) => ({ find: outcome, get: outcome });
  const writing = (outcome: string) => ({ create: outcome, patch: outcome, remove: outcome });

  it('follows the campaign: users who see it can read them, and its owner can change them', async () => {
    const broker = someone({ is_broker: true });
    const agent = agentOf(broker);
    const [shared, hidden] = [await campaignOf(broker, true), await campaignOf(broker)];
    const [a, b] = [
      await of(broker).create({ campaign_id: shared, ...text }),
      await of(broker).create({ campaign_id: hidden, ...text }),
    ];
    expect(await seen(agent, shared, a.id)).toEqual({ ...reading('done'), ...writing('Forbidden') });
    expect(await seen(agent, hidden, b.id)).toEqual(all('NotFound'));
    for (const other of [someone(), teammateOf(broker)]) {
      expect(await seen(other, shared, a.id)).toEqual(all('NotFound'));
    }
    const own = await campaignOf(agent, true);
    const c = await of(agent).create({ campaign_id: own, ...text });
    expect(await seen(broker, own, c.id)).toEqual(all('NotFound'));
    expect(await seen(broker, shared, a.id)).toEqual(all('done'));
  });

  it('lets everyone read and nobody change the actions of a built-in campaign', async () => {
    const [row] = await service.rows(
      `insert into campaigns (name, is_broker_sharing_on, is_default, created_at, modified_at)
       values ('Starter', false, true, now(), now()) returning id`,
    );
    const campaign_id = Number(row?.id);
    const [action] = await service.rows(
      `insert into campaign_actions (campaign_id, type, timing_type, event_trigger_type, delay_by_seconds,
         is_stopped_on_text_reply)
       values ($1, 'Text Contact', 'Delay by Minutes', '1', 0, false) returning id`,
      [campaign_id],
    );
    expect(await seen(someone(), campaign_id, Number(action?.id))).toEqual({
      ...reading('done'),
      ...writing('Forbidden'),
    });
  });

  it('shows the names of templates to users of the campaign, and nothing else of them', async () => {
    const broker = someone({ is_broker: true });
    const agent = agentOf(broker);
    const campaign_id = await campaignOf(broker, true);
    const template_id = await templateOf(broker, 'Text', { subject: 'Hello', body: 'Secret' });
    const { id } = await of(broker).create({ campaign_id, ...text, template_id });
    const shown = await of(agent).get({ campaign_id, id });
    expect(shown.template).toEqual({ template_id, subject: 'Hello', description: null });
    await expect(service.as(agent).templates.get({ id: template_id })).rejects.toMatchObject({
      name: 'NotFound',
    });
  });
});

describe('the actions of a campaign', () => {
  it('are removed with it, which is published', async () => {
    const { anna, campaign_id, action, create } = await campaign();
    const second = await create(weekly);
    await service.as(anna).campaigns.remove({ id: campaign_id });
    expect(
      await service.rows('select id from campaign_actions where campaign_id = $1', [campaign_id]),
    ).toEqual([]);
    const published = (await service.published()).slice(-3);
    expect(published).toMatchObject([
      ...[action, second].map(({ id }) => ({
        type: 'crm.campaigns-templates.campaign-action.removed',
        data: { campaign_action_id: id, campaign_id, owner_user_id: anna.id },
        aggregateversion: 2,
      })),
      { type: 'crm.campaigns-templates.campaign.removed' },
    ]);
  });

  it('leave no row behind when the campaign is removed while actions are added', async () => {
    for (let round = 0; round < 5; round++) {
      const { anna, campaign_id, create } = await campaign();
      const [removal, ...additions] = await Promise.allSettled([
        service.as(anna).campaigns.remove({ id: campaign_id }),
        ...Array.from({ length: 8 }, () => create(text)),
      ]);
      expect(removal.status).toBe('fulfilled');
      for (const addition of additions)
        if (addition.status === 'rejected') expect(addition.reason).toMatchObject({ name: 'NotFound' });
      const left = await service.rows('select id from campaign_actions where campaign_id = $1', [
        campaign_id,
      ]);
      expect(left).toEqual([]);
    }
  });

  it('never keep a template of another type, even if both types change at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { anna, create } = await campaign();
      const template_id = await templateOf(anna, 'Text');
      await Promise.allSettled([
        service.as(anna).templates.patch({ id: template_id, template_type: 'Email' }),
        create({ ...text, template_id }),
        create({ ...text, type: 'Email Contact', template_id }),
      ]);
      const unfit = await service.rows(
        `select a.id from campaign_actions a join templates t on t.id = a.template_id
         where (a.type, t.template_type) not in (('Text Contact', 'Text'), ('Email Contact', 'Email'),
           ('Call Contact', 'Phone'))`,
      );
      expect(unfit).toEqual([]);
    }
  });

  it('are published by ids when they are created, changed and removed', async () => {
    const anna = someone();
    const campaign_id = await campaignOf(anna);
    const { id } = await of(anna).create({ campaign_id, ...task, notes: 'Secret' });
    await of(anna).patch({ campaign_id, id, notes: 'Secret too' });
    expect(await of(anna).remove({ campaign_id, id })).toMatchObject({ id, notes: 'Secret too' });
    const published = (await service.published()).slice(-3);
    expect(published).toMatchObject(
      ['created', 'changed', 'removed'].map((what, index) => ({
        type: `crm.campaigns-templates.campaign-action.${what}`,
        data: { campaign_action_id: id, campaign_id, owner_user_id: anna.id },
        aggregateversion: index + 1,
      })),
    );
    expect(JSON.stringify(published)).not.toContain('Secret');
  });
});
