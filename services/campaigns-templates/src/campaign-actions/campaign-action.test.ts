import type { User } from '@crm/auth';
import { agentOf, someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { campaignsUnderTest } from '../../test/harness.ts';

const service = await campaignsUnderTest();
afterAll(service.close);

const of = (user: User) => service.as(user).campaignActions;
let campaigns = 0;
const campaignOf = async (user: User, is_broker_sharing_on = false) => {
  campaigns += 1;
  const { id } = await service.as(user).campaigns.create({ name: `Drip ${campaigns}`, is_broker_sharing_on });
  return id;
};
type Type = 'Email' | 'Text' | 'Phone' | 'Direct Mail Letter';
const templateOf = async (user: User, template_type: Type, text: object = {}) => {
  const { id } = await service.as(user).templateFolders.create({ name: 'Folder' });
  const templates = service.as(user).templates;
  return (await templates.create({ template_folder_id: id, template_type, ...text })).id;
};

const text = { type: 'Text Contact', timing_type: 'Delay by Minutes', delay_by_seconds: 60 } as const;
const task = { ...text, type: 'Agent Task - No Reminder' } as const;
const tasks = [
  'Agent Task - Email Reminder',
  'Agent Task - Call Reminder',
  'Agent Task - Text Reminder',
  'Agent Task - No Reminder',
] as const;
const weekly = {
  type: 'Agent Task - Call Reminder',
  timing_type: 'Recurring',
  delay_by_days: 1,
  dispatch_time: '09:00:00',
  recurrence: 'FREQ=WEEKLY;BYDAY=MO,TH',
} as const;
/** Every timing field, as a complete form sends them. */
const everyTiming = {
  delay_by_seconds: 30,
  delay_by_days: 2,
  dispatch_time: '08:30:00',
  dispatch_datetime: '2026-05-06T07:08:09.000Z',
  recurrence: 'FREQ=DAILY',
};
const noTiming = {
  delay_by_seconds: null,
  delay_by_days: null,
  dispatch_time: null,
  dispatch_datetime: null,
  recurrence: null,
};
const refused = (errors: object) => ({ name: 'BadRequest', errors });

/** A campaign with one action, and functions to create and change its actions. */
async function campaign(draft: object = text) {
  const anna = someone();
  const campaign_id = await campaignOf(anna);
  const create = (fields: object) => of(anna).create({ campaign_id, ...(fields as typeof text) });
  const action = await create(draft);
  const patch = (changes: object) => of(anna).patch({ campaign_id, id: action.id, ...changes });
  return { anna, campaign_id, action, create, patch };
}

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

  it('is listed only with those of its campaign, by id', async () => {
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
  ])('is triggered by %j, shown as %j', async (sent, shown) => {
    const { create, patch } = await campaign();
    expect(await create({ ...text, event_trigger_type: sent })).toMatchObject({ event_trigger_type: shown });
    expect(await patch({ event_trigger_type: sent })).toMatchObject({ event_trigger_type: shown });
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

  it('ignores fields that cannot be written', async () => {
    const { action, patch } = await campaign();
    expect(await patch({ template: { template_id: 1 }, campaign_action_id: 7 })).toEqual(action);
  });
});

describe('the timing of a campaign action', () => {
  const timings = [
    ['Delay by Day and Time', ['delay_by_days', 'dispatch_time']],
    ['Delay by Minutes', ['delay_by_seconds']],
    ['Exact Date and Time', ['dispatch_datetime']],
    ['Recurring', ['delay_by_days', 'dispatch_time', 'recurrence']],
  ] as const;

  it.each(timings)(
    '%s requires %j, and discards the fields of other timings',
    async (timing_type, needed) => {
      const { create, patch } = await campaign(task);
      const kept = Object.fromEntries(needed.map((field) => [field, everyTiming[field]]));
      const whole = { ...task, ...everyTiming, timing_type };
      expect(await create(whole)).toMatchObject({ ...noTiming, ...kept });
      for (const field of needed) {
        const error = refused({ [field]: `is required with ${timing_type}` });
        await expect(create({ ...whole, [field]: null })).rejects.toMatchObject(error);
        const { [field]: _, ...without } = whole;
        await expect(create(without)).rejects.toMatchObject(error);
        await expect(patch({ ...whole, [field]: null })).rejects.toMatchObject(error);
      }
      expect(await patch({ timing_type, ...kept })).toMatchObject({ ...noTiming, ...kept });
      expect(await patch({})).toMatchObject({ timing_type, ...kept });
    },
  );

  it('reports all missing fields at once', async () => {
    const { create } = await campaign();
    await expect(create({ type: tasks[0], timing_type: 'Recurring' })).rejects.toMatchObject({
      errors: {
        delay_by_days: 'is required with Recurring',
        dispatch_time: 'is required with Recurring',
        recurrence: 'is required with Recurring',
      },
    });
  });

  it('is checked together with the fields that do not change', async () => {
    const { patch } = await campaign({ ...task, ...weekly });
    expect(await patch({ dispatch_time: '10:00:00' })).toMatchObject({
      ...weekly,
      dispatch_time: '10:00:00',
    });
    await expect(patch({ recurrence: null })).rejects.toMatchObject(
      refused({ recurrence: 'is required with Recurring' }),
    );
    expect(await patch({ timing_type: 'Delay by Day and Time' })).toMatchObject({
      delay_by_days: 1,
      dispatch_time: '10:00:00',
      recurrence: null,
    });
    await expect(patch({ timing_type: 'Recurring' })).rejects.toMatchObject(
      refused({ recurrence: 'is required with Recurring' }),
    );
  });

  it('is recurring only for tasks', async () => {
    const { create, patch } = await campaign();
    const error = refused({ timing_type: 'can be Recurring only for agent tasks' });
    for (const type of ['Email Contact', 'Call Contact', 'Text Contact'])
      await expect(create({ ...weekly, type })).rejects.toMatchObject(error);
    await expect(patch({ ...weekly, type: 'Text Contact' })).rejects.toMatchObject(error);
    for (const type of tasks) expect(await create({ ...weekly, type })).toMatchObject({ ...weekly, type });
    const recurring = await campaign(weekly);
    await expect(recurring.patch({ type: 'Call Contact' })).rejects.toMatchObject(error);
  });

  it.each(['', 'WEEKLY', 'FREQ=HOURLY', 'FREQ=DAILY;COUNT=2;UNTIL=20270101', 'FREQ=YEARLY;BYMONTH=13'])(
    'refuses %j, which is not a recurrence rule of RFC 5545',
    async (recurrence) => {
      const { create, patch } = await campaign(weekly);
      const error = refused({ recurrence: expect.any(String) });
      await expect(create({ ...weekly, recurrence })).rejects.toMatchObject(error);
      await expect(patch({ recurrence })).rejects.toMatchObject(error);
      // Other timings do not store the rule, so they do not check it.
      expect(await create({ ...text, recurrence })).toMatchObject({ recurrence: null });
    },
  );
});

describe('notes and is_stopped_on_text_reply', () => {
  it('are stored for the types that use them, and discarded otherwise', async () => {
    const { create, patch } = await campaign();
    const both = { notes: 'Ring twice', is_stopped_on_text_reply: true };
    for (const type of tasks)
      expect(await create({ ...task, type, ...both })).toMatchObject({
        notes: 'Ring twice',
        is_stopped_on_text_reply: false,
      });
    for (const type of ['Email Contact', 'Call Contact'])
      expect(await create({ ...text, type, ...both })).toMatchObject({
        notes: null,
        is_stopped_on_text_reply: false,
      });
    expect(await create({ ...text, ...both })).toMatchObject({ notes: null, is_stopped_on_text_reply: true });
    expect(await patch(both)).toMatchObject({ notes: null, is_stopped_on_text_reply: true });
    expect(await patch({ type: 'Call Contact' })).toMatchObject({ is_stopped_on_text_reply: false });
    expect(await patch({ type: tasks[0], notes: 'Mail' })).toMatchObject({ notes: 'Mail' });
    expect(await patch({ type: 'Text Contact' })).toMatchObject({ notes: null });
  });
});

describe('the template of a campaign action', () => {
  it.each([
    ['Email Contact', 'Email', 'Text'],
    ['Call Contact', 'Phone', 'Email'],
    ['Text Contact', 'Text', 'Phone'],
  ] as const)('of the type %s is of the type %s', async (type, fitting, other) => {
    const { anna, create } = await campaign();
    const [good, bad] = [await templateOf(anna, fitting), await templateOf(anna, other)];
    expect(await create({ ...text, type, template_id: good })).toMatchObject({ template_id: good });
    const letter = await templateOf(anna, 'Direct Mail Letter');
    for (const template_id of [bad, letter])
      await expect(create({ ...text, type, template_id })).rejects.toMatchObject(
        refused({ template_id: `must be a template of the type ${fitting}` }),
      );
  });

  it('is shown by id under both names, with its description and subject', async () => {
    const { anna, campaign_id, create, patch } = await campaign();
    const first = await templateOf(anna, 'Text', { subject: 'Hello', description: 'First' });
    const second = await templateOf(anna, 'Text');
    const made = await create({ ...text, template_metadata_id: first });
    expect(made).toMatchObject({
      template_id: first,
      template_metadata_id: first,
      template: { template_id: first, description: 'First', subject: 'Hello' },
    });
    expect((await of(anna).find({ campaign_id, template_metadata_id: first })).data).toEqual([made]);
    expect(await create({ ...text, template_id: second, template_metadata_id: first })).toMatchObject({
      template: { template_id: second, description: null, subject: null },
    });
    expect(await patch({ template_metadata_id: second })).toMatchObject({ template_id: second });
    expect(await patch({ template_metadata_id: 0 })).toMatchObject({ template_id: null, template: null });
  });

  it('must be owned by the caller, or it does not exist under the name that was used', async () => {
    const { create, patch } = await campaign();
    const foreign = await templateOf(someone(), 'Text');
    for (const field of ['template_id', 'template_metadata_id'])
      for (const id of [foreign, 999_999]) {
        const error = refused({ [field]: `'${id}' does not exist` });
        await expect(create({ ...text, [field]: id })).rejects.toMatchObject(error);
        await expect(patch({ [field]: id })).rejects.toMatchObject(error);
      }
  });

  it('is not allowed for tasks, including actions that become one', async () => {
    const { anna, create, patch } = await campaign();
    const template_id = await templateOf(anna, 'Text');
    const error = refused({ template_id: 'is not allowed for agent tasks' });
    for (const type of tasks)
      await expect(create({ ...task, type, template_id })).rejects.toMatchObject(error);
    await patch({ template_id });
    await expect(patch({ type: tasks[0] })).rejects.toMatchObject(error);
    await expect(patch({ type: 'Email Contact' })).rejects.toMatchObject(
      refused({ template_id: 'must be a template of the type Email' }),
    );
    expect(await patch({ type: tasks[0], template_id: null })).toMatchObject({ template_id: null });
  });
});

describe('the assigned user of a campaign action', () => {
  it('is a user the caller works with, with the same error for others and for missing users', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const campaign_id = await campaignOf(anna);
    for (const assigned_user_id of [anna.id, ben.id])
      expect(await of(anna).create({ campaign_id, ...text, assigned_user_id })).toMatchObject({
        assigned_user_id,
      });
    const { id } = await of(anna).create({ campaign_id, ...text });
    for (const assigned_user_id of [someone().id, 999_999]) {
      const error = refused({ assigned_user_id: `'${assigned_user_id}' is not a user of your teams` });
      await expect(of(anna).create({ campaign_id, ...text, assigned_user_id })).rejects.toMatchObject(error);
      await expect(of(anna).patch({ campaign_id, id, assigned_user_id })).rejects.toMatchObject(error);
    }
  });

  it('is included on request, whatever else is selected', async () => {
    const anna = await service.person({ first_name: 'Anna', last_name: 'Lopez' });
    const campaign_id = await campaignOf(anna);
    const mine = await of(anna).create({ campaign_id, ...text, assigned_user_id: anna.id });
    const free = await of(anna).create({ campaign_id, ...text });
    const person = { id: anna.id, first_name: 'Anna', last_name: 'Lopez', email: expect.any(String) };
    const { data } = await of(anna).find({ campaign_id, $load: 'assigned_user,template' });
    expect(data).toEqual([
      { ...mine, assigned_user: person },
      { ...free, assigned_user: null },
    ]);
    expect((await of(anna).find({ campaign_id, $load: 'template' })).data).toEqual([mine, free]);
    const one = { campaign_id, id: mine.id };
    expect(await of(anna).get({ ...one, $load: ['assigned_user'] })).toEqual(data[0]);
    expect(await of(anna).get({ ...one, $select: ['type'], $load: 'assigned_user' })).toEqual({
      id: mine.id,
      type: 'Text Contact',
      assigned_user_id: anna.id,
      assigned_user: person,
    });
    await expect(of(anna).get({ ...one, $load: 'owner' })).rejects.toMatchObject({ name: 'BadRequest' });
    await expect(of(anna).find({ campaign_id, $load: 'owner' })).rejects.toMatchObject({
      name: 'BadRequest',
    });
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

  it('follows the campaign: whoever sees it reads them, its owner writes them', async () => {
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

  it('lets everyone read and nobody write those of a campaign that comes with the service', async () => {
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

  it('are not left behind when the campaign is removed while actions are added', async () => {
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
