import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { action, call, calls, enrolled, plan } from '../../test/plans.ts';
import { extendSeries } from '../task-series/extend-series.ts';

const time = { now: new Date('2025-09-01T14:00:00Z') };
const scheduling = await schedulingUnderTest({ clock: () => time.now });
afterAll(scheduling.close);

const anna = { ...someone(), timezone: 'America/New_York' };

/** Lets time pass, and runs the worker every day. */
async function until(date: string) {
  const end = new Date(date);
  while (time.now < end) {
    time.now = new Date(Math.min(end.getTime(), time.now.getTime() + 86_400_000));
    await extendSeries(scheduling.workerContext);
  }
}

/** All tasks of a contact in a campaign, in both versions. */
async function tasksOf(campaign_contact_id: number) {
  const older = await scheduling
    .as(anna)
    .tasks.find({ campaign_contact_id, $limit: 1000, $sort: { due_at: 1, id: 1 } });
  const ids = new Set(older.data.map(({ id }) => id));
  const newer = await scheduling.as(anna).scheduledTasks.find({ $limit: 1000, $sort: { due_at: 1, id: 1 } });
  return { older: older.data, newer: newer.data.filter(({ id }) => ids.has(id)) };
}

describe('a year of a campaign', () => {
  it('has its e-mails, its birthday and its calls, each at its local time', async () => {
    const mails = Array.from({ length: 52 }, (_, week) =>
      action({ timing_type: 'Delay by Day and Time', delay_by_days: week * 7, dispatch_time: '09:00:00' }),
    );
    const birthday = { event_trigger_type: '2', delay_by_seconds: null } as const;
    const wanted = plan(
      anna,
      [
        ...mails,
        action({ delay_by_seconds: 60, type: 'Text Contact' }),
        action({
          ...birthday,
          timing_type: 'Delay by Day and Time',
          delay_by_days: 0,
          dispatch_time: '08:00:00',
        }),
        call({ ...birthday, delay_by_days: 0, dispatch_time: '07:00:00' }),
        calls('FREQ=DAILY;COUNT=365', { delay_by_days: 0, dispatch_time: '17:00:00' }),
        calls('FREQ=WEEKLY;BYDAY=SU', { delay_by_days: 0, dispatch_time: '02:30:00' }),
        calls('FREQ=MONTHLY;BYMONTHDAY=31', { delay_by_days: 0, dispatch_time: '12:00:00' }),
      ],
      { start_at: time.now.toISOString(), birthday: '1984-02-29' },
    );
    const { campaign_contact_id, created } = await enrolled(scheduling, wanted);
    expect(created).toEqual({ communications: 54, tasks: 4 });
    await until('2026-09-01T14:00:00Z');

    const sent = await scheduling.rows(
      `select to_char(send_at, 'YYYY-MM-DD HH24:MI') as at from communications
       where campaign_contact_id = $1 and send_at < '2026-09-01T14:00:00Z' order by send_at, id`,
      [campaign_contact_id],
    );
    const mailed = sent.map(({ at }) => String(at));
    expect(mailed).toHaveLength(54);
    expect(mailed.slice(0, 3)).toEqual(['2025-09-01 14:01', '2025-09-02 13:00', '2025-09-08 13:00']);
    expect(mailed).toContain('2026-02-28 13:00');
    // Mondays, at nine in summer and in winter.
    expect(mailed).toContain('2025-11-03 14:00');
    expect(mailed).toContain('2026-03-09 13:00');

    const { older, newer } = await tasksOf(campaign_contact_id);
    const passed = older.filter(({ due_at_utc }) => (due_at_utc ?? '') < '2026-09-01T14:00:00');
    const at = (clock: string) => passed.filter(({ due_at }) => due_at?.endsWith(clock));
    expect(at('17:00:00')).toHaveLength(365);
    expect(at('07:00:00').map(({ due_at }) => due_at)).toEqual(['2026-02-28 07:00:00']);
    expect(at('12:00:00').map(({ due_at }) => due_at?.slice(0, 10))).toEqual([
      '2025-10-31',
      '2025-12-31',
      '2026-01-31',
      '2026-03-31',
      '2026-05-31',
      '2026-07-31',
      '2026-08-31',
    ]);
    // One of 52 Sundays has no half past two.
    expect(at('02:30:00')).toHaveLength(51);
    expect(passed).toHaveLength(365 + 1 + 7 + 51);
    expect(new Set(older.map((task) => task.campaign_contact_id))).toEqual(new Set([campaign_contact_id]));
    expect(newer.map(({ id, due_at_utc }) => [id, due_at_utc])).toEqual(
      older.map(({ id, due_at_utc }) => [id, due_at_utc]),
    );
  });

  it('keeps a weekly call at its local time across both clock changes, in both versions', async () => {
    const weekly = calls('FREQ=WEEKLY', { delay_by_days: 1, dispatch_time: '09:00:00' });
    const wanted = plan(anna, [weekly], { start_at: time.now.toISOString() });
    const { campaign_contact_id } = await enrolled(scheduling, wanted);
    await until('2027-09-01T14:00:00Z');
    const { older, newer } = await tasksOf(campaign_contact_id);
    expect(newer.length).toBeGreaterThan(104);
    expect(new Set(older.map(({ due_at }) => due_at?.slice(10)))).toEqual(new Set([' 09:00:00']));
    expect(new Set(newer.map(({ due_at }) => due_at?.slice(10)))).toEqual(new Set(['T09:00:00']));
    expect(older.map(({ due_at_utc }) => due_at_utc)).toEqual(newer.map(({ due_at_utc }) => due_at_utc));
    const hours = new Map(
      newer.map(({ due_at, due_at_utc }) => [due_at?.slice(0, 10), due_at_utc?.slice(11, 13)]),
    );
    const around = ['2026-10-28', '2026-11-04', '2027-03-10', '2027-03-17'];
    expect(around.map((day) => hours.get(day))).toEqual(['13', '14', '14', '13']);
    // An occurrence that was created later has the same campaign and the same people.
    const [first, last] = [older[0], older.at(-1)];
    const same = ({
      id: _,
      due_at,
      due_at_utc,
      created_at,
      modified_at,
      ...task
    }: object & Record<string, unknown>) => task;
    expect(last && same(last)).toEqual(first && same(first));
    expect(last?.created_at).not.toBe(first?.created_at);
  });
});
