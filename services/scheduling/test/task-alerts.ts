import type { User } from '@crm/auth';
import { openDispatch } from '@crm/dispatch';
import { sendDue } from '@crm/testing';
import { remind } from '../src/task-alerts/remind.ts';
import { taskAlertQueue } from '../src/task-alerts/task-alert-dispatcher.ts';
import { dispatchUnderTest } from './dispatch.ts';
import type { SchedulingUnderTest } from './harness.ts';
import type { People } from './people.ts';

const zoned = (date: Date) => date.toISOString().replace(/\.\d+/, '');

/** A time some hours ago, without fractions of a second. */
export const ago = (hours: number) => zoned(new Date(Date.now() - hours * 3_600_000));

/** The service with its own providers, in which alerts are sent when a test calls `turn`. */
export async function taskAlertsUnderTest() {
  const under = await dispatchUnderTest();
  const { service, workerContext } = under;

  /** An instance that creates reminders and sends everything that is due, once per call. */
  const instance = (honoursKeys = true) => {
    const dispatch = openDispatch(taskAlertQueue, under.settingsWith(honoursKeys).delivery, workerContext);
    return async () => {
      await remind(workerContext);
      await sendDue(dispatch, { Email: 100, Text: 100, Phone: 100 });
    };
  };

  const alerts = (taskId: number) =>
    service.rows('select * from task_alerts where task_id = $1 order by id', [taskId]);

  return {
    under,
    instance,
    turn: instance(),
    alerts,
    statesOf: async (taskId: number) =>
      (await alerts(taskId)).map(({ kind, channel, user_id, state }) => [kind, channel, user_id, state]),
    reasonOf: async (taskId: number) => (await alerts(taskId))[0]?.reason,
    pair: () => pair(under),
    task: (user: User, more: object = {}) => task(service, user, more),
    later: () => letTimePass(service),
  };
}

/** Two users who work together in a team, and the account of the second. */
async function pair({ sender, workTogether }: People) {
  const [anna, ben] = [await sender({ first_name: 'Anna' }), await sender({ first_name: 'Ben' })];
  const { first, second } = await workTogether(anna.id, ben.id);
  return { anna: first, ben: second, of: ben };
}

/** A task of the user that is due now by default. */
async function task(service: SchedulingUnderTest, user: User, more: object): Promise<number> {
  const { id } = await service.as(user).scheduledTasks.create({
    assigned_user_id: user.id,
    due_at: ago(0),
    description: 'Call Bill',
    status: 'incomplete',
    reminder_type: 1,
    notify_assignee: true,
    ...more,
  });
  return id;
}

/** Makes waiting alerts due and expires leases, as if time had passed. */
async function letTimePass({ rows }: SchedulingUnderTest): Promise<void> {
  await rows("update task_alerts set next_attempt_at = now() where state = 'Waiting' and due_at <= now()");
  await rows("update task_alerts set lease_until = now() - interval '1 second' where state = 'Sending'");
}
