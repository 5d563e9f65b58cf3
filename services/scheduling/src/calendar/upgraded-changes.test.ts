import { databaseBefore } from '@crm/testing';
import { expect, it } from 'vitest';
import { schedulingStore } from '../store.ts';
import { readCalendar } from './read-calendar.ts';

const columns = `crm_user_id, action, type, created_at, updated_at, rule, start_local, timezone, next_index, action_type,
  description, is_all_day, notify_assignee`;
const values = `7, 'tasks', 'recurrent', now(), now(), 'FREQ=DAILY', '2026-03-02T09:00:00', 'UTC', 9, 'None', 'Call', false, false`;

/** The statement of an instance of the previous release, unchanged except for values that do not matter. */
const before = {
  series: `insert into task_series (${columns}) values (${values}) returning id`,
  task: `insert into tasks (scheduled_event_id, occurrence_index, owner_user_id, action_type, description, status, due_at, due_local,
      timezone, is_all_day, notify_assignee, created_at, modified_at, completed_at, completing_user_id, version)
    values ($1, $2, 7, 'None', 'Call', $3::text, now(), '2026-03-02T09:00:00', 'UTC', false, false, now(),
      timestamptz '2026-03-02T12:00:00Z' + $4::int * interval '1 minute', case when $3::text = 'complete' then now() end,
      case when $3::text = 'complete' then 7 end, $4)`,
  change: `update tasks set notes = 'Ask for Ann', modified_at = now(), version = version + 1
    where scheduled_event_id = $1 and occurrence_index = $2`,
  keep: `update tasks set scheduled_event_id = $2, version = version + 1 where scheduled_event_id = $1`,
};

it('the number of changes of a series is never less than the previous release has shown', async () => {
  const { client, upgrade } = await databaseBefore(schedulingStore, '0301-counted-changes');
  const run = async (name: keyof typeof before, given: readonly unknown[]) =>
    (await client.query(before[name], [...given])).rows;
  const [{ id }] = await run('series', []);
  await run('task', [id, 0, 'incomplete', 12]);
  await run('task', [id, 1, 'complete', 40]);
  await run('task', [id, 2, 'incomplete', 1]);
  await upgrade();

  const shown = async (series: number) => {
    const { rows } = await client.query(
      'select version, modified_at from tasks where scheduled_event_id = $1 order by modified_at desc limit 1',
      [series],
    );
    const content = await readCalendar(async (text, given) => (await client.query(text, [...given])).rows, {
      id: 7,
    });
    const now = content.series.find((one) => one.id === series)?.defaults;
    expect(now?.version).toBeGreaterThanOrEqual(rows[0].version);
    expect(now?.modified_at.epochMilliseconds).toBeGreaterThanOrEqual(rows[0].modified_at.getTime());
    return now?.version ?? 0;
  };
  const upgraded = await shown(id);
  for (let change = 1; change <= 3; change++) {
    await run('change', [id, 2]);
    expect(await shown(id)).toBe(upgraded + change);
  }
  const [next] = await run('series', []);
  await run('keep', [id, next.id]);
  expect(await shown(next.id)).toBeGreaterThan(40);
});
