import { system } from '@crm/auth';
import { emFor } from '@crm/data';
import { campaignRemoved } from '@crm/events';
import { afterAll, describe, expect, it } from 'vitest';
import { action, call, calls, enrolled, plan } from '../../test/plans.ts';
import { taskAlertsUnderTest } from '../../test/task-alerts.ts';
import { removeStopped } from './remove-stopped.ts';

const { under, turn, pair } = await taskAlertsUnderTest();
afterAll(under.close);
const { service } = under;
const { rows } = service;

const size = 20;

type What = 'campaign' | 'campaign contact';

/** Removes one portion of a stopped scope, like a process that ends afterwards. */
const removePortion = (id: number, what: What = 'campaign') =>
  removeStopped(
    emFor(service.database.orm, system),
    { actor: system, requestId: 'a-request', now: () => new Date() },
    { what, id },
    0,
    size,
  );

const isRemoved = async (id: number, what: What = 'campaign') =>
  (
    await rows('select from enrolment_ends where what = $1 and id = $2 and removed_at is not null', [
      what,
      id,
    ])
  ).length > 0;

/** The campaign of some contacts with daily tasks, just after it was removed. */
async function removedCampaign(contacts: number) {
  const { ben } = await pair();
  const wanted = plan(ben, [action(), action(), call(), calls('FREQ=DAILY')]);
  const campaignContacts: number[] = [];
  for (let n = 0; n < contacts; n += 1)
    campaignContacts.push((await enrolled(service, wanted)).campaign_contact_id);
  const remove = () =>
    service.deliver(campaignRemoved, { campaign_id: wanted.campaign_id, owner_user_id: ben.id });
  return { ben, campaign_id: wanted.campaign_id, campaignContacts, remove };
}

const openTasks = async (campaignContacts: readonly number[]) =>
  (
    await rows(
      `select id, campaign_contact_id from tasks where campaign_contact_id = any($1) and status = 'incomplete' order by id`,
      [campaignContacts],
    )
  ).map(({ id, campaign_contact_id }) => ({
    id: Number(id),
    campaign_contact_id: Number(campaign_contact_id),
  }));

const complete = `update tasks set status = 'complete', completed_at = now(), completing_user_id = owner_user_id`;

const becomesDue = (id: number, assignee: number) =>
  rows(
    `update tasks set due_at = date_trunc('second', now()), timezone = 'UTC', notify_assignee = true,
       assigned_user_id = $2, action_type = 'Email Contact', contact_id = null where id = $1`,
    [id, assignee],
  );

const alertsOf = (id: number) => rows('select state, reason from task_alerts where task_id = $1', [id]);

describe('a removed campaign with more tasks than one transaction can remove', () => {
  it('is removed in portions of limited size, by whatever processes, and an enrolment with the last of its tasks', async () => {
    const { campaign_id, campaignContacts, remove } = await removedCampaign(3);
    await rows(`${complete} where campaign_contact_id = $1 and occurrence_index = 4`, [campaignContacts[1]]);
    await remove();
    for (let before = await openTasks(campaignContacts); !(await isRemoved(campaign_id)); ) {
      const removed = await removePortion(campaign_id);
      const left = await openTasks(campaignContacts);
      expect(removed.tasks).toBe(before.length - left.length);
      expect(removed.tasks).toBeLessThanOrEqual(size);
      const enrolments = await rows('select campaign_contact_id from enrolments where campaign_id = $1', [
        campaign_id,
      ]);
      const withTasks = new Set(left.map(({ campaign_contact_id }) => campaign_contact_id));
      expect(enrolments.map(({ campaign_contact_id }) => campaign_contact_id)).toEqual(
        expect.arrayContaining([...withTasks]),
      );
      before = left;
    }
    expect(await openTasks(campaignContacts)).toEqual([]);
    const series = await rows('select extend_at, rule from task_series where campaign_contact_id = any($1)', [
      campaignContacts,
    ]);
    expect(series).toEqual([{ extend_at: null, rule: expect.stringMatching(/^FREQ=DAILY;UNTIL=/) }]);
    const removals = (await service.published()).filter(
      ({ type, data }) => type === 'crm.scheduling.enrolment.removed' && data.campaign_id === campaign_id,
    );
    expect(removals).toHaveLength(campaignContacts.length);
  });

  it('sends no reminders of the remaining tasks', async () => {
    const { ben, campaign_id, campaignContacts, remove } = await removedCampaign(1);
    const id = (await openTasks(campaignContacts)).at(-1)?.id ?? 0;
    await remove();
    await removePortion(campaign_id);
    await becomesDue(id, ben.id);
    await turn();
    expect(await alertsOf(id)).toEqual([
      { state: 'Dropped', reason: 'The campaign was stopped for this contact.' },
    ]);
  });

  it.each(['campaign', 'campaign contact'] as const)(
    'sends a reminder of one of its tasks that was done and reopened by a user afterwards (%s)',
    async (what) => {
      const { ben, campaign_id, campaignContacts, remove } = await removedCampaign(1);
      const [campaign_contact_id = 0] = campaignContacts;
      const id = (await openTasks(campaignContacts)).at(-1)?.id ?? 0;
      await rows(`${complete} where id = $1`, [id]);
      const stopped = what === 'campaign' ? campaign_id : campaign_contact_id;
      if (what === 'campaign') await remove();
      else await service.asSystem.enrolments.stop({ campaign_contact_id });
      while (!(await isRemoved(stopped, what))) await removePortion(stopped, what);
      await rows(
        `update tasks set status = 'incomplete', completed_at = null, completing_user_id = null where id = $1`,
        [id],
      );
      await becomesDue(id, ben.id);
      await turn();
      expect(await alertsOf(id)).toEqual([{ state: 'Done', reason: null }]);
    },
  );
});
