import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';

const scheduling = await schedulingUnderTest({ clock: () => new Date('2026-03-02T12:00:00Z') });
afterAll(scheduling.close);

const user = { ...someone(), timezone: 'America/New_York' };
const { scheduledTasks } = scheduling.as(user);
const draft = {
  assigned_user_id: user.id,
  due_at: '2026-03-02T09:00:00',
  description: 'Call',
  status: 'incomplete',
} as const;
const start = (recurrence_rule: string) => scheduledTasks.create({ ...draft, recurrence_rule });
const tasksOf = async (scheduled_event_id: number) =>
  (await scheduledTasks.find({ scheduled_event_id, $limit: 1000, $sort: { due_at: 1 } })).data;

describe('the rule of a recurring task', () => {
  it.each([
    ['BYDAY=WE,MO;FREQ=WEEKLY;COUNT=3;WKST=MO', 'BYDAY=WE,MO;FREQ=WEEKLY;COUNT=3;WKST=MO'],
    [' RRULE:FREQ=DAILY;INTERVAL=01 ', 'FREQ=DAILY;INTERVAL=01'],
    ['byday=we,mo;freq=weekly', 'BYDAY=WE,MO;FREQ=WEEKLY'],
    ['BYHOUR=9;BYMINUTE=0;BYSECOND=0;BYDAY=WE,MO;FREQ=WEEKLY', 'BYDAY=WE,MO;FREQ=WEEKLY'],
    ['FREQ=DAILY;INTERVAL=400', 'FREQ=DAILY;INTERVAL=400'],
  ])('is shown as it was written: %j', async (sent, shown) => {
    const { id, recurrence_rule } = await start(sent);
    expect(recurrence_rule).toBe(shown);
    expect(await scheduledTasks.get({ id })).toMatchObject({ recurrence_rule: shown });
    expect((await scheduledTasks.find({ id, recurrence_rule: shown })).total).toBe(1);
  });

  it('keeps its parts when the series is split', async () => {
    const { scheduled_event_id } = await start('BYDAY=WE,MO;FREQ=WEEKLY;COUNT=4;WKST=MO');
    const [, , third] = await tasksOf(scheduled_event_id);
    if (!third) throw new Error('There is no third task.');
    const changed = await scheduledTasks.patch({
      ...third,
      ...draft,
      due_at: third.due_at ?? '',
      description: 'Write',
      update_type: 2,
    });
    expect(changed.recurrence_rule).toBe('BYDAY=WE,MO;FREQ=WEEKLY;COUNT=2;WKST=MO');
    const rules = (await tasksOf(scheduled_event_id)).map(({ recurrence_rule }) => recurrence_rule);
    expect(rules).toEqual(Array(2).fill('BYDAY=WE,MO;FREQ=WEEKLY;WKST=MO;UNTIL=20260309T085959'));
  });

  it.each(['FREQ=HOURLY;COUNT=3', 'FREQ=HOURLY;INTERVAL=5;BYDAY=MO,TU', 'FREQ=DAILY;COUNT=20000'])(
    'may be hourly, and have any number of occurrences, of which at most 500 exist: %s',
    async (rule) => {
      const { scheduled_event_id } = await start(rule);
      const tasks = await tasksOf(scheduled_event_id);
      expect(tasks.length).toBe(rule.endsWith('=3') ? 3 : 500);
      expect(tasks[0]).toMatchObject({ due_at: draft.due_at, recurrence_rule: rule });
    },
  );

  it('may repeat the time that a task moves to, which is the time of day from then on', async () => {
    const { scheduled_event_id } = await start('FREQ=DAILY;BYHOUR=9;COUNT=3');
    const [first] = await tasksOf(scheduled_event_id);
    if (!first) throw new Error('There is no task.');
    const moved = { ...first, ...draft, due_at: '2026-03-02T10:00:00', update_type: 2 } as const;
    const recurrence_rule = 'FREQ=DAILY;COUNT=3;BYHOUR=10';
    const changed = await scheduledTasks.patch({ ...moved, recurrence_rule });
    expect(changed.recurrence_rule).toBe('FREQ=DAILY;COUNT=3');
    expect((await tasksOf(changed.scheduled_event_id)).map(({ due_at }) => due_at)).toEqual([
      '2026-03-02T10:00:00',
      '2026-03-03T10:00:00',
      '2026-03-04T10:00:00',
    ]);
    await expect(
      scheduledTasks.patch({ ...moved, recurrence_rule: 'FREQ=DAILY;BYHOUR=9' }),
    ).rejects.toMatchObject({
      errors: { recurrence_rule: 'may contain BYHOUR only as 10: the time of day is that of the start' },
    });
  });

  it.each([
    ['FREQ=MINUTELY', 'must not recur more often than hourly, but FREQ is MINUTELY'],
    ['DTSTART:20260302T090000Z\nRRULE:FREQ=DAILY', 'must be a rule alone, without DTSTART'],
    ['FREQ=DAILY\nRDATE:20260302T090000Z', 'must be a rule alone, without RDATE'],
  ])('%j is refused with a reason', async (rule, recurrence_rule) => {
    await expect(start(rule)).rejects.toMatchObject({ name: 'BadRequest', errors: { recurrence_rule } });
  });
});
