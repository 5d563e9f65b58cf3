import { campaignContactRemoved, campaignRemoved, contactRemoved } from '@crm/events';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { action, call, calls, enrolled, next, plan } from '../../test/plans.ts';
import { extendSeries } from '../task-series/extend-series.ts';
import { removeStoppedEverywhere } from './remove-stopped.ts';

const time = { now: new Date('2026-03-02T18:00:05Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);

const { enrolments } = scheduling.asSystem;
const { rows } = scheduling;

const statesOf = async (campaign_contact_id: number) =>
  (
    await rows('select dispatch_state from communications where campaign_contact_id = $1 order by id', [
      campaign_contact_id,
    ])
  ).map(({ dispatch_state }) => dispatch_state);

/** How many rows a contact in a campaign has. */
async function remains(campaign_contact_id: number) {
  const [row] = await rows(
    `select (select count(*) from communications where campaign_contact_id = $1)::int communications,
       (select count(*) from tasks where campaign_contact_id = $1)::int tasks,
       (select count(*) from task_series where campaign_contact_id = $1)::int events`,
    [campaign_contact_id],
  );
  return row;
}

const nothing = { communications: 0, tasks: 0, events: 0 };

describe('a stop', () => {
  it('removes the unsent communications and open tasks of a contact in a campaign', async () => {
    const wanted = plan(someone(), [action(), action(), call(), calls('FREQ=WEEKLY;COUNT=5'), calls()]);
    const one = await enrolled(scheduling, wanted);
    const other = await enrolled(scheduling, wanted);
    const before = await remains(other.campaign_contact_id);
    expect(await enrolments.stop({ campaign_contact_id: one.campaign_contact_id })).toEqual({
      communications: 2,
      tasks: 1 + 5 + 105,
    });
    expect(await remains(one.campaign_contact_id)).toEqual(nothing);
    expect(await remains(other.campaign_contact_id)).toEqual(before);
  });

  it('of a campaign does so for all its contacts', async () => {
    const wanted = plan(someone(), [action(), call()]);
    const created = [await enrolled(scheduling, wanted), await enrolled(scheduling, wanted)];
    const other = await enrolled(scheduling, plan(someone(), [action(), call()]));
    const { campaign_id } = wanted;
    expect(await enrolments.stop({ campaign_id })).toEqual({ communications: 2, tasks: 2 });
    for (const { campaign_contact_id } of created)
      expect(await remains(campaign_contact_id)).toEqual(nothing);
    expect(await remains(other.campaign_contact_id)).toEqual({ communications: 1, tasks: 1, events: 1 });
  });

  it('keeps what was sent, what is being sent, and what somebody has marked as done', async () => {
    const actions = Array.from({ length: 8 }, () => action());
    const { campaign_contact_id } = await enrolled(scheduling, plan(someone(), actions));
    const set = (index: number, values: string) =>
      rows(`update communications set ${values} where campaign_action_id = $1`, [actions[index]?.id]);
    const sent = `dispatch_state = 'Sent', begun_at = now()`;
    const done = 'is_active = false, completed_at = now()';
    const sending = `dispatch_state = 'Sending', lease_until = now() + interval '1 minute'`;
    await set(0, `${sent}, ${done}`);
    await set(1, sent);
    await set(2, `${sending}, begun_at = now()`);
    await set(3, sending);
    await set(4, `dispatch_state = 'Failed'`);
    await set(5, `dispatch_state = 'Dropped'`);
    await set(6, `dispatch_state = 'Dropped', ${done}, completing_user_id = 5`);
    expect(await enrolments.stop({ campaign_contact_id })).toEqual({ communications: 4, tasks: 0 });
    expect(await statesOf(campaign_contact_id)).toEqual(['Sent', 'Sent', 'Sending', 'Dropped']);
  });

  it('keeps closed tasks, and ends the recurring ones that they belong to', async () => {
    const anna = { ...someone(), timezone: 'America/New_York' };
    const { campaign_contact_id } = await enrolled(scheduling, plan(anna, [call(), call(), calls()]));
    const { tasks, scheduledTasks } = scheduling.as(anna);
    const [single, , , second] = (await tasks.find({ campaign_contact_id, $sort: { due_at: 1, id: 1 } }))
      .data;
    for (const one of [single, second]) await tasks.patch({ id: one?.id ?? 0, status: 'complete' });
    const before = (await scheduling.published()).length;
    expect(await enrolments.stop({ campaign_contact_id })).toEqual({ communications: 0, tasks: 1 + 104 });
    const left = await scheduledTasks.find({ $sort: { due_at: 1 } });
    expect(left.data.map(({ due_at, recurrence_rule }) => [due_at, recurrence_rule])).toEqual([
      ['2026-03-03T09:00:00', null],
      ['2026-03-10T09:00:00', 'FREQ=WEEKLY;UNTIL=20260317T085959'],
    ]);
    const events = (await scheduling.published()).slice(before);
    expect(events.map(({ type }) => type.slice('crm.scheduling.'.length)).toSorted()).toEqual([
      'enrolment.removed',
      'task-series.changed',
      'task.removed',
    ]);
    time.now = new Date('2028-03-02T18:00:05Z');
    await extendSeries(scheduling.workerContext);
    time.now = new Date('2026-03-02T18:00:05Z');
    expect((await remains(campaign_contact_id))?.tasks).toBe(2);
  });

  it('publishes the removal of each task, of each recurring one, and of the enrolment', async () => {
    const anna = someone();
    const wanted = plan(anna, [call(), calls()]);
    const { campaign_contact_id } = await enrolled(scheduling, wanted);
    const before = (await scheduling.published()).length;
    await enrolments.stop({ campaign_contact_id });
    const events = (await scheduling.published()).slice(before);
    expect(events.map(({ type, aggregateversion }) => [type, aggregateversion]).toSorted()).toEqual([
      ['crm.scheduling.enrolment.removed', 2],
      ['crm.scheduling.task-series.removed', 2],
      ['crm.scheduling.task.removed', 2],
    ]);
    const { campaign_id, contact_id } = wanted;
    expect(events.find(({ type }) => type.includes('enrolment'))?.data).toEqual({
      campaign_contact_id,
      campaign_id,
      contact_id,
      user_id: anna.id,
    });
  });

  it('may be repeated, which changes and publishes nothing', async () => {
    const anna = someone();
    const wanted = plan(anna, [action(), call(), calls()]);
    const { campaign_contact_id } = await enrolled(scheduling, wanted);
    const { tasks } = scheduling.as(anna);
    const [first, second] = (await tasks.find({ campaign_contact_id, $sort: { due_at: 1 } })).data;
    for (const one of [first, second]) await tasks.patch({ id: one?.id ?? 0, status: 'complete' });
    await enrolments.stop({ campaign_contact_id });
    const before = (await scheduling.published()).length;
    expect(await enrolments.stop({ campaign_contact_id })).toEqual({ communications: 0, tasks: 0 });
    expect(await enrolments.stop({ campaign_id: wanted.campaign_id })).toEqual({
      communications: 0,
      tasks: 0,
    });
    expect((await scheduling.published()).length).toBe(before);
  });

  it('is permanent: a later enrolment creates nothing', async () => {
    const wanted = plan(someone(), [action(), call()]);
    const campaign_contact_id = next();
    await enrolments.stop({ campaign_contact_id });
    expect(await enrolments.enrol({ campaign_contact_id, plan: wanted })).toEqual({
      communications: 0,
      tasks: 0,
    });
    expect(await remains(campaign_contact_id)).toEqual(nothing);
    await enrolments.stop({ campaign_id: wanted.campaign_id });
    const later = await enrolled(scheduling, wanted);
    expect(later.created).toEqual({ communications: 0, tasks: 0 });
    expect(await remains(later.campaign_contact_id)).toEqual(nothing);
    expect(await rows('select from enrolments where campaign_id = $1', [wanted.campaign_id])).toEqual([]);
  });
});

describe('a domain event of another service', () => {
  it('that a contact was removed removes all its communications, and keeps its tasks', async () => {
    const anna = someone();
    const wanted = plan(anna, [action(), action(), call(), calls('FREQ=WEEKLY;COUNT=2')]);
    const { campaign_contact_id } = await enrolled(scheduling, wanted);
    await rows(
      `update communications set dispatch_state = 'Sent', begun_at = now(), is_active = false, completed_at = now()
       where campaign_action_id = $1`,
      [wanted.actions[0]?.id],
    );
    const { contact_id } = wanted;
    const data = { contact_id, owner_user_id: anna.id, assigned_user_id: null };
    for (let turn = 0; turn < 2; turn += 1) await scheduling.deliver(contactRemoved, data);
    expect(await remains(campaign_contact_id)).toEqual({ communications: 0, tasks: 3, events: 2 });
    const tasks = await scheduling.as(anna).tasks.find({ campaign_contact_id });
    expect(tasks.data.map((task) => task.contact_id)).toEqual([null, null, null]);
    expect((await enrolled(scheduling, wanted)).created).toEqual({ communications: 0, tasks: 0 });
    // The rest of it can still be stopped.
    expect(await enrolments.stop({ campaign_id: wanted.campaign_id })).toEqual({
      communications: 0,
      tasks: 3,
    });
  });

  it('that a campaign was removed stops it for all its contacts', async () => {
    const wanted = plan(someone(), [action(), call()]);
    const { campaign_contact_id } = await enrolled(scheduling, wanted);
    const data = { campaign_id: wanted.campaign_id, owner_user_id: null };
    for (let turn = 0; turn < 2; turn += 1) await scheduling.deliver(campaignRemoved, data);
    await removeStoppedEverywhere(scheduling.workerContext);
    expect(await remains(campaign_contact_id)).toEqual(nothing);
    expect((await enrolled(scheduling, wanted)).created).toEqual({ communications: 0, tasks: 0 });
  });

  it('that a contact was taken out of a campaign stops the campaign for it', async () => {
    const wanted = plan(someone(), [action(), call()]);
    const { campaign_contact_id } = await enrolled(scheduling, wanted);
    const data = { campaign_contact_id, campaign_id: wanted.campaign_id, user_id: wanted.user_id };
    for (let turn = 0; turn < 2; turn += 1) await scheduling.deliver(campaignContactRemoved, data);
    await removeStoppedEverywhere(scheduling.workerContext);
    expect(await remains(campaign_contact_id)).toEqual(nothing);
    expect(await enrolments.enrol({ campaign_contact_id, plan: wanted })).toEqual({
      communications: 0,
      tasks: 0,
    });
    // The contact may be put into the same campaign again.
    expect((await enrolled(scheduling, wanted)).created).toEqual({ communications: 1, tasks: 1 });
  });
});
