import { someone, teammateOf } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { actionsIn, noTiming, refused, task, tasks, text, weekly } from '../../test/actions.ts';
import { campaignsUnderTest } from '../../test/harness.ts';

const service = await campaignsUnderTest();
afterAll(service.close);
const { of, campaignOf, templateOf, campaign } = actionsIn(service);

/** Every timing field, as a form sends them all. */
const everyTiming = {
  delay_by_seconds: 30,
  delay_by_days: 2,
  dispatch_time: '08:30:00',
  dispatch_datetime: '2026-05-06T07:08:09.000Z',
  recurrence: 'FREQ=DAILY',
};

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

  it.each(timings)(
    '%s ignores the other fields of a form, whatever they contain',
    async (timing_type, needed) => {
      const { create, patch } = await campaign(task);
      const junk = {
        delay_by_seconds: '',
        delay_by_days: '',
        dispatch_time: '9',
        dispatch_datetime: '',
        recurrence: 5,
      };
      const kept = Object.fromEntries(needed.map((field) => [field, everyTiming[field]]));
      const form = { ...task, ...(junk as object), timing_type, ...kept };
      expect(await create(form)).toMatchObject({ ...noTiming, ...kept });
      expect(await patch(form)).toMatchObject({ ...noTiming, ...kept });
      for (const field of needed) {
        const invalid = { ...form, [field]: field === 'dispatch_time' ? '9' : 'x' };
        await expect(create(invalid)).rejects.toMatchObject({ errors: { [field]: expect.anything() } });
      }
    },
  );

  it.each([
    [{ type: 'Email Contact' }, { notes: 'x'.repeat(3000), is_stopped_on_text_reply: 'junk' }],
    [{ type: 'Text Contact' }, { notes: { text: 'x' } }],
    [{ type: 'Agent Task' }, { is_stopped_on_text_reply: '' }],
  ])('and the type ignore unused fields, whatever they contain: %j', async ({ type: named }, junk) => {
    const type = named === 'Agent Task' ? tasks[0] : named;
    const { create, patch } = await campaign(task);
    const shown = { notes: null, is_stopped_on_text_reply: false };
    const form = { ...task, type, ...(junk as object) };
    expect(await create(form)).toMatchObject({ type, ...shown });
    expect(await patch({ type, ...(junk as object) })).toMatchObject({ type, ...shown });
    const needed = named === 'Agent Task' ? 'notes' : 'is_stopped_on_text_reply';
    if (named === 'Email Contact') return;
    await expect(create({ ...form, [needed]: { text: 'x' } })).rejects.toMatchObject({
      errors: { [needed]: expect.anything() },
    });
  });

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

  it('is checked together with the unchanged fields', async () => {
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

  it('can be recurring only for tasks', async () => {
    const { create, patch } = await campaign();
    const error = refused({ timing_type: 'can be Recurring only for agent tasks' });
    for (const type of ['Email Contact', 'Call Contact', 'Text Contact'])
      await expect(create({ ...weekly, type })).rejects.toMatchObject(error);
    await expect(patch({ ...weekly, type: 'Text Contact' })).rejects.toMatchObject(error);
    for (const type of tasks) expect(await create({ ...weekly, type })).toMatchObject({ ...weekly, type });
    const recurring = await campaign(weekly);
    await expect(recurring.patch({ type: 'Call Contact' })).rejects.toMatchObject(error);
  });

  it('stores its rule in capital letters, without a time of day, which is its dispatch_time', async () => {
    const { create, patch } = await campaign({ ...weekly, dispatch_time: '09:30:00' });
    const recurrence = 'rrule:freq=weekly;byhour=9;byminute=30;byday=mo';
    const shown = { recurrence: 'FREQ=WEEKLY;BYDAY=MO' };
    expect(await create({ ...weekly, dispatch_time: '09:30:00', recurrence })).toMatchObject(shown);
    expect(await patch({ recurrence })).toMatchObject(shown);
    expect(await patch({ dispatch_time: '10:00:00' })).toMatchObject(shown);
    await expect(patch({ recurrence })).rejects.toMatchObject(
      refused({ recurrence: 'may contain BYHOUR only as 10: the time of day is that of the start' }),
    );
  });

  it.each(['', 'WEEKLY', 'FREQ=MINUTELY', 'FREQ=DAILY;COUNT=2;UNTIL=20270101', 'FREQ=YEARLY;BYMONTH=13'])(
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
  ] as const)('is one of the matching type: for %s, %s', async (type, fitting, other) => {
    const { anna, create } = await campaign();
    const [good, bad] = [await templateOf(anna, fitting), await templateOf(anna, other)];
    expect(await create({ ...text, type, template_id: good })).toMatchObject({ template_id: good });
    const letter = await templateOf(anna, 'Direct Mail Letter');
    for (const template_id of [bad, letter])
      await expect(create({ ...text, type, template_id })).rejects.toMatchObject(
        refused({ template_id: `must be a template of the type ${fitting}` }),
      );
  });

  it('has its id under both names, and its description and subject', async () => {
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

  it('must belong to the caller; otherwise the error is reported under the field name that was sent', async () => {
    const { create, patch } = await campaign();
    const foreign = await templateOf(someone(), 'Text');
    for (const field of ['template_id', 'template_metadata_id'])
      for (const id of [foreign, 999_999]) {
        const error = refused({ [field]: `'${id}' does not exist` });
        await expect(create({ ...text, [field]: id })).rejects.toMatchObject(error);
        await expect(patch({ [field]: id })).rejects.toMatchObject(error);
      }
  });

  it('is not allowed for tasks, including actions that become tasks', async () => {
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
  it('must be a user the caller works with, with the same error for other users and missing ones', async () => {
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

  it('is kept when the action is written back after that user has left', async () => {
    const ben = someone();
    const anna = teammateOf(ben);
    const campaign_id = await campaignOf(anna);
    const { id } = await of(anna).create({ campaign_id, ...text, assigned_user_id: ben.id });
    const alone = of({ ...anna, teammate_ids: [] });
    const { template: _, ...record } = await alone.get({ campaign_id, id });
    expect(await alone.patch({ campaign_id, ...record, delay_by_seconds: 90 })).toMatchObject({
      assigned_user_id: ben.id,
      delay_by_seconds: 90,
    });
    await alone.patch({ campaign_id, id, assigned_user_id: null });
    await expect(alone.patch({ campaign_id, id, assigned_user_id: ben.id })).rejects.toMatchObject(
      refused({ assigned_user_id: `'${ben.id}' is not a user of your teams` }),
    );
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
