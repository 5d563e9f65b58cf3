import { someone } from '@crm/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';

const scheduling = await schedulingUnderTest();
afterAll(scheduling.close);

const anna = someone({ timezone: 'America/New_York' });
const { tasks, scheduledTasks } = scheduling.as(anna);
const task = { action_type: 'None', description: 'Call Bill', status: 'incomplete' } as const;
const scheduled = { assigned_user_id: anna.id, description: 'Call Bill', status: 'incomplete' } as const;
const refusal = {
  name: 'BadRequest',
  errors: { due_at: 'must be in the years 1970 to 2100' },
};
const stored = async () => (await scheduling.rows('select count(*)::int as count from tasks'))[0];

describe('the time at which a task is due', () => {
  it.each(['0500-06-01T09:00:00', '1900-01-01', '1969-12-31T23:59:59', '2101-01-01', '9000-01-01T00:00:00Z'])(
    'is not %s',
    async (due_at) => {
      const { id } = await tasks.create({ ...task, due_at: '2026-01-02T09:00:00' });
      const before = await stored();
      await expect(tasks.create({ ...task, due_at })).rejects.toMatchObject(refusal);
      await expect(scheduledTasks.create({ ...scheduled, due_at })).rejects.toMatchObject(refusal);
      const recurrence_rule = 'FREQ=DAILY';
      await expect(scheduledTasks.create({ ...scheduled, due_at, recurrence_rule })).rejects.toMatchObject(
        refusal,
      );
      await expect(tasks.patch({ id, due_at })).rejects.toMatchObject(refusal);
      await expect(scheduledTasks.patch({ ...scheduled, id, due_at })).rejects.toMatchObject(refusal);
      expect(await stored()).toEqual(before);
      expect(await tasks.get({ id })).toMatchObject({ due_at: '2026-01-02 09:00:00' });
    },
  );

  it.each(['1970-01-01T00:00:00', '2100-12-31T23:59:59'])('may be %s', async (due_at) => {
    const { id } = await tasks.create({ ...task, due_at });
    expect(await tasks.get({ id })).toMatchObject({ due_at: due_at.replace('T', ' ') });
    expect(await scheduledTasks.create({ ...scheduled, due_at })).toMatchObject({ due_at });
  });

  it('stays what it was before there were limits when the record is sent back with other changes', async () => {
    const { id } = await tasks.create({ ...task, due_at: '2026-01-02T09:00:00' });
    await scheduling.rows(
      `update tasks set due_at = '1900-01-01T14:00:00Z', due_local = '1900-01-01T09:00:00' where id = $1`,
      [id],
    );
    const { due_at_utc: _, ...whole } = await tasks.get({ id });
    const same = { due_at: '1900-01-01 09:00:00', description: 'Write to Bill' };
    expect(await tasks.patch({ ...whole, description: 'Write to Bill' })).toMatchObject(same);
    expect(await tasks.patch({ id, due_at: '1900-01-01T14:00:00Z' })).toMatchObject(same);
    const { event, recurrence_rule, ...record } = await scheduledTasks.get({ id });
    expect(
      await scheduledTasks.patch({ ...record, assigned_user_id: anna.id, due_at: '1900-01-01T09:00:00' }),
    ).toMatchObject({ due_at: '1900-01-01T09:00:00' });
  });
});
