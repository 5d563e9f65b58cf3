import { withheldReason } from '@crm/data';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { action, call, enrolled, plan } from '../../test/plans.ts';
import { schedulingStore } from '../store.ts';

const scheduling = await schedulingUnderTest();
afterAll(scheduling.close);

const hour = 3_600_000;
const agoIn = (hours: number) => new Date(Date.now() - hours * hour).toISOString();
const planned = (start_at: string) => {
  const [anna, bert] = [someone(), someone()];
  const actions = [
    action({ delay_by_seconds: 0 }),
    action({ delay_by_seconds: 10 * 3600 }),
    call({ assigned_user_id: bert.id }),
  ];
  return plan(anna, actions, { start_at });
};

const outcomesOf = async (campaign_contact_id: number) => ({
  messages: await scheduling.rows(
    `select dispatch_state, dispatch_reason from communications where campaign_contact_id = $1 order by send_at`,
    [campaign_contact_id],
  ),
  alerts: await scheduling.rows(
    'select kind from task_alerts a join tasks t on t.id = a.task_id where campaign_contact_id = $1',
    [campaign_contact_id],
  ),
});

const waiting = { dispatch_state: 'Scheduled', dispatch_reason: null };

describe('a contact that was put into a campaign before a restore and is enrolled after it', () => {
  it('gets no message that was due before, and nobody is notified of its tasks again', async () => {
    for (const statement of schedulingStore.onRestore ?? []) await scheduling.rows(statement);
    const before = await enrolled(scheduling, planned(agoIn(2)));
    expect(before.created).toEqual({ communications: 2, tasks: 1 });
    expect(await outcomesOf(before.campaign_contact_id)).toEqual({
      messages: [{ dispatch_state: 'Failed', dispatch_reason: withheldReason }, waiting],
      alerts: [],
    });
    const after = await enrolled(scheduling, planned(new Date().toISOString()));
    expect(await outcomesOf(after.campaign_contact_id)).toEqual({
      messages: [waiting, waiting],
      alerts: [{ kind: 'Assignment' }],
    });
  });
});
