import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { action, call, calls, enrolled, next, plan, template } from '../../test/plans.ts';

const time = { now: new Date('2026-03-02T18:00:05Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);

const { enrolments } = scheduling.asSystem;

const communicationsOf = (campaign_contact_id: number) =>
  scheduling.rows(
    `select c.*, text.body from communications c left join template_texts text on text.digest = c.body_digest
     where campaign_contact_id = $1 order by id`,
    [campaign_contact_id],
  );

/** The domain events of one type. */
const eventsOf = async (type: string) =>
  (await scheduling.published()).filter((event) => event.type === `crm.scheduling.${type}`);

describe('a contact that is put into a campaign', () => {
  it('that replies before its delayed texts are created gets none that a reply stops', async () => {
    const text = action({ type: 'Text Contact', is_stopped_on_text_reply: true, delay_by_seconds: 0 });
    const { campaign_contact_id } = await enrolled(scheduling, plan(someone(), [text]));
    const replied = 'select from communications where campaign_contact_id = $1 and created_at <= $2';
    // The plan was made at 18:00:00, and the service executes it five seconds later.
    expect(await scheduling.rows(replied, [campaign_contact_id, '2026-03-02T18:00:01Z'])).toHaveLength(1);
  });

  it('gets its communications, with the texts of the template at that time', async () => {
    const anna = someone();
    const bert = someone();
    const text = { type: 'Text Contact', assigned_user_id: bert.id, is_stopped_on_text_reply: true } as const;
    const mail = action({ template });
    const wanted = plan(anna, [mail, action({ ...text, delay_by_seconds: 0 })]);
    const { campaign_contact_id, created } = await enrolled(scheduling, wanted);
    expect(created).toEqual({ communications: 2, tasks: 0 });
    const [first, second] = await communicationsOf(campaign_contact_id);
    expect(first).toMatchObject({
      campaign_id: wanted.campaign_id,
      campaign_action_id: mail.id,
      contact_id: wanted.contact_id,
      campaign_name: 'General Buyer Drip',
      type: 'Email Contact',
      template_id: 7,
      template_name: 'Welcome',
      template_folder_name: 'Buyers',
      template_subject: template.subject,
      body: template.body,
      send_from_user_id: anna.id,
      send_at: '2026-03-02 19:00:00+00',
      next_attempt_at: '2026-03-02 19:00:00+00',
      timezone: 'America/New_York',
      is_active: true,
      dispatch_state: 'Scheduled',
      attempts: 0,
    });
    expect(second).toMatchObject({
      send_from_user_id: bert.id,
      is_stopped_on_text_reply: true,
      template_id: null,
      body: null,
      send_at: '2026-03-02 18:00:00+00',
    });
  });

  it('notifies other users once of each task assigned to them, as caused by the request, and nobody of their own', async () => {
    const [anna, bert] = [someone(), someone()];
    const forBert = { assigned_user_id: bert.id };
    const actions = [call(), call(forBert), calls('FREQ=WEEKLY', forBert), calls('FREQ=WEEKLY')];
    const { campaign_contact_id } = await enrolled(scheduling, plan(anna, actions));
    const alerts = await scheduling.rows(
      `select a.kind, a.channel, a.user_id, t.occurrence_index, a.cause->>'request_id' is not null as follows
       from task_alerts a join tasks t on t.id = a.task_id
       where t.campaign_contact_id = $1`,
      [campaign_contact_id],
    );
    const told = { kind: 'Assignment', channel: 'Phone', user_id: bert.id };
    const alert = { ...told, occurrence_index: 0, follows: true };
    expect(alerts).toEqual([alert, alert]);
  });

  it('creates tasks for the agent, in both versions', async () => {
    const anna = { ...someone(), timezone: 'America/New_York' };
    const bert = { ...someone(), timezone: 'America/New_York' };
    const wanted = plan(anna, [call({ assigned_user_id: bert.id, notes: 'Ask for Bill' })]);
    const { campaign_contact_id, created } = await enrolled(scheduling, wanted);
    expect(created).toEqual({ communications: 0, tasks: 1 });
    const older = await scheduling.as(bert).tasks.find({ campaign_contact_id });
    expect(older.data).toMatchObject([
      {
        owner_user_id: anna.id,
        assigned_user_id: bert.id,
        contact_id: wanted.contact_id,
        campaign_contact_id,
        action_type: 'Agent Task - Call Reminder',
        due_at: '2026-03-03 09:00:00',
        due_at_utc: '2026-03-03T14:00:00.000Z',
        description: 'General Buyer Drip',
        notes: 'Ask for Bill',
        status: 'incomplete',
      },
    ]);
    const newer = await scheduling.as(anna).scheduledTasks.find({});
    expect(newer.data).toMatchObject([
      {
        id: older.data[0]?.id,
        due_at: '2026-03-03T09:00:00',
        reminder_type: 5,
        notify_assignee: true,
        is_all_day: false,
        recurrence_rule: null,
        event: { action: 'campaign_actions', type: 'single', crm_user_id: anna.id },
      },
    ]);
  });

  it('creates recurring tasks, whose occurrences all have the campaign contact', async () => {
    const anna = someone();
    const { campaign_contact_id, created } = await enrolled(
      scheduling,
      plan(anna, [calls('FREQ=WEEKLY;COUNT=3')]),
    );
    expect(created).toEqual({ communications: 0, tasks: 1 });
    const tasks = await scheduling.as(anna).tasks.find({ campaign_contact_id });
    expect(tasks.data.map(({ due_at }) => due_at)).toEqual([
      '2026-03-03 09:00:00',
      '2026-03-10 09:00:00',
      '2026-03-17 09:00:00',
    ]);
    const newer = await scheduling.as(anna).scheduledTasks.find({});
    for (const task of newer.data)
      expect(task).toMatchObject({
        recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
        notify_assignee: true,
        event: { action: 'campaign_actions', type: 'recurrent' },
      });
  });

  it('keeps the origin of its recurring task when somebody changes it from some day on', async () => {
    const anna = { ...someone(), timezone: 'America/New_York' };
    const { campaign_contact_id } = await enrolled(scheduling, plan(anna, [calls('FREQ=WEEKLY;COUNT=4')]));
    const { scheduledTasks, tasks } = scheduling.as(anna);
    const [first, second, third] = (await scheduledTasks.find({ $sort: { due_at: 1 } })).data;
    if (!first || !second || !third) throw new Error('There are four.');
    const sent = {
      assigned_user_id: anna.id,
      description: 'Call',
      status: 'incomplete',
      contact_id: null,
    } as const;
    await scheduledTasks.patch({
      ...sent,
      id: second.id,
      due_at: '2026-03-10T10:00:00',
      recurrence_rule: 'FREQ=WEEKLY;COUNT=3',
      update_type: 2,
    });
    await scheduledTasks.patch({ ...sent, id: third.id, due_at: '2026-03-17T11:00:00' });
    const all = await tasks.find({ campaign_contact_id, $sort: { due_at: 1 } });
    expect(all.data.map(({ due_at }) => due_at)).toEqual([
      '2026-03-03 09:00:00',
      '2026-03-10 10:00:00',
      '2026-03-17 11:00:00',
      '2026-03-24 10:00:00',
    ]);
    const events = await scheduling.rows(
      'select distinct action, campaign_contact_id from task_series where crm_user_id = $1',
      [anna.id],
    );
    expect(events).toEqual([{ action: 'campaign_actions', campaign_contact_id }]);
  });

  it('keeps closed occurrences as single tasks when its recurring task gets another rule', async () => {
    const anna = { ...someone(), timezone: 'America/New_York' };
    const { campaign_contact_id } = await enrolled(scheduling, plan(anna, [calls('FREQ=WEEKLY;COUNT=3')]));
    const { scheduledTasks, tasks } = scheduling.as(anna);
    const [, second, third] = (await tasks.find({ campaign_contact_id, $sort: { due_at: 1 } })).data;
    if (!second || !third) throw new Error('There are three.');
    await tasks.patch({ id: third.id, status: 'complete' });
    await scheduledTasks.patch({
      id: second.id,
      assigned_user_id: anna.id,
      due_at: '2026-03-10T10:00:00',
      description: 'Call',
      status: 'incomplete',
      recurrence_rule: 'FREQ=DAILY;COUNT=1',
      update_type: 2,
    });
    const { event } = await scheduledTasks.get({ id: third.id });
    expect(event).toMatchObject({ type: 'single', action: 'campaign_actions' });
    expect((await tasks.find({ campaign_contact_id })).total).toBe(3);
  });

  it('gets what is possible when some actions create nothing', async () => {
    const wanted = plan(someone(), [
      action({ event_trigger_type: '2' }),
      action(),
      calls('FREQ=DAILY;UNTIL=20200101'),
    ]);
    expect((await enrolled(scheduling, wanted)).created).toEqual({ communications: 1, tasks: 0 });
    expect((await enrolled(scheduling, plan(someone(), []))).created).toEqual({
      communications: 0,
      tasks: 0,
    });
  });

  it('is published once, with an event for each task and each recurring one', async () => {
    const before = (await scheduling.published()).length;
    const anna = someone();
    const wanted = plan(anna, [action(), call(), call(), calls('FREQ=WEEKLY;COUNT=9')]);
    const { campaign_contact_id } = await enrolled(scheduling, wanted);
    const events = (await scheduling.published()).slice(before);
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'crm.scheduling.enrolment.created',
      'crm.scheduling.task-series.created',
      'crm.scheduling.task.created',
      'crm.scheduling.task.created',
    ]);
    const { campaign_id, contact_id } = wanted;
    expect((await eventsOf('enrolment.created')).at(-1)).toMatchObject({
      aggregateversion: 1,
      data: { campaign_contact_id, campaign_id, contact_id, user_id: anna.id },
    });
  });

  it('may be enrolled again, even concurrently, which changes nothing and returns the same', async () => {
    const anna = someone();
    const wanted = plan(anna, [action({ template }), call(), calls()]);
    const campaign_contact_id = next();
    const before = (await scheduling.published()).length;
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => enrolments.enrol({ campaign_contact_id, plan: wanted })),
    );
    answers.push(await enrolments.enrol({ campaign_contact_id, plan: { ...wanted, actions: [] } }));
    expect(new Set(answers.map((one) => JSON.stringify(one)))).toEqual(
      new Set(['{"communications":1,"tasks":2}']),
    );
    expect(await communicationsOf(campaign_contact_id)).toHaveLength(1);
    expect((await scheduling.published()).length - before).toBe(3);
    const { total } = await scheduling.as(anna).tasks.find({ campaign_contact_id, $limit: 0 });
    expect(total).toBe(1 + 105);
  });

  it('may be the same contact in the same campaign again, as another campaign contact', async () => {
    const wanted = plan(someone(), [action()]);
    const first = await enrolled(scheduling, wanted);
    const second = await enrolled(scheduling, wanted);
    expect(first.created).toEqual(second.created);
    expect(await communicationsOf(second.campaign_contact_id)).toHaveLength(1);
  });

  it('gets everything that a large campaign has', async () => {
    const actions = [
      ...Array.from({ length: 700 }, () => action({ template: { ...template, body: 'x'.repeat(1000) } })),
      ...Array.from({ length: 700 }, () => call()),
      ...Array.from({ length: 20 }, () => calls('FREQ=DAILY;COUNT=30')),
    ];
    const { campaign_contact_id, created } = await enrolled(scheduling, plan(someone(), actions));
    expect(created).toEqual({ communications: 700, tasks: 720 });
    expect(await communicationsOf(campaign_contact_id)).toHaveLength(700);
    const [row] = await scheduling.rows(
      'select count(*)::int total, count(distinct scheduled_event_id)::int events from tasks where campaign_contact_id = $1',
      [campaign_contact_id],
    );
    expect(row).toEqual({ total: 700 + 600, events: 720 });
  });
});
