import type { User } from '@crm/auth';
import { withheldReason } from '@crm/data';
import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { taskAlertsUnderTest } from '../../test/task-alerts.ts';
import { schedulingStore } from '../store.ts';
import { remind } from './remind.ts';

const { under, turn, alerts, statesOf, reasonOf, pair, task, later } = await taskAlertsUnderTest();
afterAll(under.close);
afterEach(clearCrashPoints);
const { service, workerContext } = under;

/** A zone in which it is now about that hour, or the zone one hour further west. */
function zoneAt(hour: number, west = 0): string {
  const ahead = ((hour - new Date().getUTCHours() + 35) % 24) - 11 - west;
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

const localIn = (timezone: string) =>
  Temporal.Now.plainDateTimeISO(timezone).round({ smallestUnit: 'second', roundingMode: 'trunc' });

/** Sends a task back as it was read, with changes. */
async function change(user: User, id: number, changes: object) {
  const api = service.as(user).scheduledTasks;
  const read = await api.get({ id });
  await api.patch({ ...read, assigned_user_id: user.id, due_at: read.due_at ?? '', ...changes });
}

const allStates = async (id: number) => (await statesOf(id)).map(([, , , state]) => state);

describe('the reminder of a task', () => {
  const early = zoneAt(5);
  const due = (is_all_day: boolean) => ({ due_at: localIn(early).toString(), timezone: early, is_all_day });

  it('that is no longer for a whole day is sent when the task is due, and not in the morning', async () => {
    const { ben } = await pair();
    const id = await task(ben, due(true));
    await turn();
    expect(await allStates(id)).toEqual(['Waiting']);
    await change(ben, id, { is_all_day: false });
    await turn();
    expect(await allStates(id)).toEqual(['Waiting', 'Done']);
    await service.rows('update task_alerts set next_attempt_at = now() where task_id = $1', [id]);
    await turn();
    expect(await allStates(id)).toEqual(['Dropped', 'Done']);
    expect(await reasonOf(id)).toBe('The due time of the task was changed.');
  });

  it('that is now for a whole day is sent in the morning as well', async () => {
    const { ben } = await pair();
    const id = await task(ben, due(false));
    await turn();
    await change(ben, id, { is_all_day: true });
    await turn();
    expect(await allStates(id)).toEqual(['Done', 'Waiting']);
    const [, second] = await alerts(id);
    const morning = localIn(early).with({ hour: 8, minute: 0, second: 0 }).toZonedDateTime(early);
    expect(new Date(String(second?.due_at)).toISOString()).toBe(
      new Date(morning.epochMilliseconds).toISOString(),
    );
  });

  it('for a whole day moves with the zone of the day', async () => {
    const { ben } = await pair();
    const id = await task(ben, due(true));
    await remind(workerContext);
    const { due_at_utc } = await service.as(ben).scheduledTasks.get({ id });
    await change(ben, id, { due_at: due_at_utc, timezone: zoneAt(5, 1) });
    await remind(workerContext);
    const [first, second] = (await alerts(id)).map(({ due_at }) => new Date(String(due_at)).getTime());
    expect(Number(second) - Number(first)).toBe(3_600_000);
  });

  it('is created once for each moment, however often the task is changed', async () => {
    const { ben } = await pair();
    const id = await task(ben, due(false));
    for (const is_all_day of [true, false, true, false]) {
      await turn();
      await change(ben, id, { is_all_day });
    }
    await turn();
    expect(await allStates(id)).toEqual(['Done', 'Waiting']);
  });

  it('is not created again when the task is deleted and reopened', async () => {
    const { ben } = await pair();
    const timezone = zoneAt(11);
    const due_at = localIn(timezone).with({ hour: 23 }).toString();
    const id = await task(ben, { due_at, timezone, is_all_day: true });
    for (const status of ['deleted', 'incomplete']) {
      await turn();
      await change(ben, id, { status });
    }
    await turn();
    expect(await allStates(id)).toEqual(['Done']);
  });

  it('for a whole day is created when the type of the task is set on that day', async () => {
    const { ben } = await pair();
    const id = await task(ben, { ...due(true), reminder_type: 0 });
    await turn();
    expect(await allStates(id)).toEqual([]);
    await change(ben, id, { reminder_type: 1 });
    await turn();
    expect(await allStates(id)).toEqual(['Waiting']);
  });

  const tomorrow = localIn(early).add({ days: 1 }).toString();
  it.each([
    ['completed', { status: 'complete' }],
    ['deleted', { status: 'deleted' }],
    ['without notification', { notify_assignee: false }],
    ['without a type', { reminder_type: 0 }],
    ['due on another day', { due_at: tomorrow }],
  ])('that was dropped in the morning is created again if the task was %s by mistake', async (_, mistake) => {
    const { ben } = await pair();
    const id = await task(ben, due(true));
    const ofToday = async () => (await alerts(id)).filter(({ of_due_at }) => String(of_due_at) === today);
    await turn();
    const today = String((await alerts(id))[0]?.of_due_at);
    const { due_at } = await service.as(ben).scheduledTasks.get({ id });
    await change(ben, id, mistake);
    await service.rows('update task_alerts set next_attempt_at = now() where task_id = $1', [id]);
    await turn();
    expect(await ofToday()).toMatchObject([{ state: 'Dropped' }]);
    const right = { due_at, status: 'incomplete', notify_assignee: true, reminder_type: 1 };
    await change(ben, id, right);
    await turn();
    expect(await ofToday()).toMatchObject([{ state: 'Waiting' }]);
    await service.rows('update task_alerts set next_attempt_at = now() where task_id = $1', [id]);
    await turn();
    expect(await ofToday()).toMatchObject([{ state: 'Done' }]);
  });

  it('that may have been sent is not sent again when the task is reopened', async () => {
    const { ben } = await pair();
    const id = await task(ben, due(false));
    under.mail.behave(() => 'break after accepting');
    await turn();
    under.mail.behave(undefined);
    await change(ben, id, { status: 'complete' });
    await later();
    await turn();
    await change(ben, id, { status: 'incomplete' });
    await turn();
    expect(await allStates(id)).toEqual(['Unknown']);
  });

  it('is not sent at the old time if the task is changed while it is being sent', async () => {
    const { ben } = await pair();
    const id = await task(ben, due(false));
    setCrashPoint('task-alert.leased', () => change(ben, id, { is_all_day: true }));
    await turn();
    clearCrashPoints();
    expect((await alerts(id))[0]).toMatchObject({ state: 'Waiting', reason: 'The task was being changed.' });
    await later();
    await turn();
    expect(await allStates(id)).toEqual(['Dropped', 'Waiting']);
  });
});

describe('after a restore, the reminder of a task', () => {
  const restore = async () => {
    for (const statement of schedulingStore.onRestore ?? []) await service.rows(statement);
  };

  it('for a whole day that may have been sent in the morning is not sent again', async () => {
    const { ben } = await pair();
    const timezone = zoneAt(11);
    const id = await task(ben, {
      due_at: localIn(timezone).with({ hour: 23, minute: 59 }).toString(),
      timezone,
      is_all_day: true,
    });
    await restore();
    await turn();
    expect(await allStates(id)).toEqual(['Failed']);
    expect(await reasonOf(id)).toBe(withheldReason);
  });

  it('that was created or changed for an earlier time is not sent again', async () => {
    const { ben } = await pair();
    await restore();
    const id = await task(ben, { due_at: localIn('UTC').subtract({ hours: 1 }).toString(), timezone: 'UTC' });
    await turn();
    expect(await allStates(id)).toEqual(['Failed']);
  });

  it.each([0, 23])(
    'for a whole day that comes later is created, if the task is due at %i:00',
    async (hour) => {
      const { ben } = await pair();
      const timezone = zoneAt(5);
      const day = localIn(timezone).with({ hour, minute: 0, second: 0 });
      const id = await task(ben, { due_at: day.toString(), timezone, is_all_day: true });
      await restore();
      await turn();
      expect(await allStates(id)).toEqual(['Waiting']);
    },
  );
});
