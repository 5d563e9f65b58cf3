import { openDispatch } from '@crm/dispatch';
import { itStopsNobodyElse } from '@crm/dispatch/testing';
import { sendDue } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { ago, taskAlertsUnderTest } from '../../test/task-alerts.ts';
import { moveLate } from '../dispatch/move-late.ts';
import { rowProblems } from '../row-problems.ts';
import { remind } from '../task-alerts/remind.ts';
import { taskAlertQueue } from '../task-alerts/task-alert-dispatcher.ts';
import { extendSeries } from '../task-series/extend-series.ts';

const { under, pair, task, turn: alertTurn } = await taskAlertsUnderTest();
afterAll(under.close);
const { service, due, workerContext } = under;
const { rows } = service;

const late = () => due('Text Contact', { send_at: "now() - interval '2 hours'" });
const problemOf = async (table: string, id: number) =>
  (await rows(`select problem from ${table} where id = $1`, [id]))[0]?.problem;
const counted = async () =>
  Object.fromEntries(
    (await rowProblems(workerContext.database.query)).map(({ what, count }) => [what, count]),
  );

/** A zone that a newer or an older version may know. */
const unknownZone = 'Mars/Olympus';

describe('a row that cannot be processed is postponed with a reason, is counted, and does not block others', () => {
  it('when late communications are moved to another day', async () => {
    const [broken, fine] = [await late(), await late()];
    await rows('update communications set timezone = $1 where id = $2', [unknownZone, broken.id]);
    await moveLate(workerContext);
    expect(await fine.now()).toMatchObject({ first_send_at: expect.any(String), problem: null });
    expect(await broken.now()).toMatchObject({
      first_send_at: null,
      problem: expect.stringContaining('time zone'),
    });
    expect(await counted()).toMatchObject({ communications: 1 });
    await rows("update communications set timezone = 'UTC', postponed_until = now() where id = $1", [
      broken.id,
    ]);
    await moveLate(workerContext);
    expect(await broken.now()).toMatchObject({ first_send_at: expect.any(String), problem: null });
    expect(await counted()).toEqual({});
  });

  it('when reminders are created', async () => {
    const { ben } = await pair();
    const today = `${new Date().toISOString().slice(0, 10)}T23:59:59Z`;
    const broken = await task(ben, { due_at: today, timezone: 'UTC', is_all_day: true });
    const fine = await task(ben);
    await rows('update tasks set timezone = $1 where id = $2', [unknownZone, broken]);
    await remind(workerContext);
    const reminded = await rows('select task_id from task_alerts where task_id = any($1)', [[broken, fine]]);
    expect(reminded).toEqual([{ task_id: fine }]);
    expect(await problemOf('tasks', broken)).toContain('time zone');
    expect(await counted()).toEqual({ tasks: 1 });
    await rows("update tasks set timezone = 'UTC', postponed_until = now() where id = $1", [broken]);
    await remind(workerContext);
    expect(await counted()).toEqual({});
  });

  it('when recurring tasks are extended', async () => {
    const { ben } = await pair();
    const of = async (more: object) => {
      const id = await task(ben, { due_at: ago(-24), recurrence_rule: 'FREQ=WEEKLY', ...more });
      const [row] = await rows('select scheduled_event_id as id from tasks where id = $1', [id]);
      return Number(row?.id);
    };
    const [broken, fine] = [await of({}), await of({})];
    await rows('update task_series set timezone = $1 where id = $2', [unknownZone, broken]);
    const inTwoYears = new Date(Date.now() + 730 * 86_400_000);
    const count = async (id: number) =>
      (await rows('select count(*)::int as count from tasks where scheduled_event_id = $1', [id]))[0]?.count;
    const before = [Number(await count(broken)), Number(await count(fine))];
    await extendSeries({ ...workerContext, clock: () => inTwoYears });
    expect(await count(broken)).toBe(before[0]);
    expect(await count(fine)).toBeGreaterThan(before[1] ?? 0);
    expect(await problemOf('task_series', broken)).toContain('time zone');
    expect(await counted()).toMatchObject({ task_series: 1 });
  });

  it('when an alert cannot be prepared', async () => {
    const { ben } = await pair();
    const [broken, fine] = [await task(ben), await task(ben)];
    await remind(workerContext);
    const queue: typeof taskAlertQueue = {
      ...taskAlertQueue,
      plan: (row, ...facts) => {
        if (row.task_id === broken) throw new Error('It has no words.');
        return taskAlertQueue.plan(row, ...facts);
      },
    };
    const dispatch = openDispatch(queue, under.settings.delivery, workerContext);
    await sendDue(dispatch, { Email: 100, Text: 100, Phone: 100 });
    await dispatch.close();
    const states = await rows(
      'select task_id, state, reason from task_alerts where task_id = any($1) order by id',
      [[broken, fine]],
    );
    expect(states).toMatchObject([
      { task_id: broken, state: 'Waiting', reason: expect.stringContaining('cannot be worked on') },
      { task_id: fine, state: 'Done' },
    ]);
    expect(await counted()).toMatchObject({ 'task_alerts unsent': 1 });
    await rows("delete from task_alerts where state = 'Waiting'");
  });
});

const countOf = async (what: string) => Number((await counted())[what] ?? 0);

describe('a communication that cannot be processed does not block others', () => {
  itStopsNobodyElse({
    table: 'communications',
    state: 'dispatch_state',
    sent: 'Sent',
    rows,
    due: async () => {
      const { id, now } = await due('Email Contact');
      return {
        id,
        now: async () => {
          const { dispatch_state: state, dispatch_reason: reason } = await now();
          return { state, reason };
        },
      };
    },
    spoil: async (id) => {
      await rows('alter table communications alter column contact_id drop not null');
      await rows('update communications set contact_id = null where id = $1', [id]);
    },
    turn: under.turn,
    problems: () => countOf('communications unsent'),
  });
});

describe('a task alert that cannot be processed does not block others', () => {
  itStopsNobodyElse({
    table: 'task_alerts',
    state: 'state',
    sent: 'Done',
    rows,
    due: async () => {
      const { ben } = await pair();
      const task_id = await task(ben);
      await remind(workerContext);
      const now = async () => {
        const [row] = await rows('select * from task_alerts where task_id = $1', [task_id]);
        return { id: Number(row?.id), state: row?.state, reason: row?.reason };
      };
      return { id: (await now()).id, now };
    },
    spoil: (id) =>
      rows(
        "update tasks set action_type = 'Pigeon' from task_alerts a where a.task_id = tasks.id and a.id = $1",
        [id],
      ),
    turn: alertTurn,
    problems: () => countOf('task_alerts unsent'),
  });
});
