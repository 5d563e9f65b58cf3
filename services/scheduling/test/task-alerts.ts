import type { User } from '@crm/auth';
import { someone, teammateOf } from '@crm/testing';
import { openTaskAlerts } from '../src/task-alerts/dispatch.ts';
import { remind } from '../src/task-alerts/remind.ts';
import type { dispatchUnderTest } from './dispatch.ts';

/** Tasks of people who are told of them, and what became of the alerts. */
export function taskAlertsOf(under: Awaited<ReturnType<typeof dispatchUnderTest>>) {
  const { service, workerContext, sender } = under;
  const zoned = (date: Date) => date.toISOString().replace(/\.\d+/, '');
  const ago = (hours: number) => zoned(new Date(Date.now() - hours * 3_600_000));
  const alerts = (taskId: number) =>
    service.rows('select * from task_alerts where task_id = $1 order by id', [taskId]);

  return {
    ago,
    alerts,
    /** One instance, which tells once of what is due. */
    instance: (honoursKeys = true) => {
      const dispatch = openTaskAlerts(under.settingsWith(honoursKeys), workerContext);
      return async () => {
        await remind(workerContext.database);
        await dispatch.finish(await dispatch.take({ Email: 100, Text: 100, Phone: 100 }), () => undefined);
      };
    },
    /** Two who work together, and what identity knows of the second. */
    async pair() {
      const [first, second] = [await sender({ first_name: 'Anna' }), await sender({ first_name: 'Ben' })];
      const anna: User = { ...teammateOf({ ...someone(), id: second.id }), id: first.id };
      const ben: User = { ...teammateOf(anna), id: second.id };
      return { anna, ben, of: second };
    },
    /** A task of one's own that is due now, unless it says otherwise. */
    async task(user: User, more: object = {}) {
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
    },
    told: async (taskId: number) =>
      (await alerts(taskId)).map(({ kind, channel, user_id, state }) => [kind, channel, user_id, state]),
    reasonOf: async (taskId: number) => (await alerts(taskId))[0]?.reason,
    /** Time passes: what waits is due, and the leases of those who are gone are over. */
    async later() {
      await service.rows(
        "update task_alerts set next_attempt_at = now() where state = 'Waiting' and due_at <= now()",
      );
      await service.rows(
        "update task_alerts set lease_until = now() - interval '1 second' where state = 'Sending'",
      );
    },
  };
}
