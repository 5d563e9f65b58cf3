import { someone } from '@crm/testing';
import type { SchedulingUnderTest } from './harness.ts';

export const newYorker = () => ({ ...someone(), timezone: 'America/New_York' });

/** Adds recurring tasks of new users, each with functions to read and change it. */
export const recurringTasksIn = (scheduling: SchedulingUnderTest) =>
  async function series(rule: string, draft: object = {}) {
    const anna = newYorker();
    const api = scheduling.as(anna);
    const first = await api.scheduledTasks.create({
      assigned_user_id: anna.id,
      due_at: '2026-03-02T09:00:00',
      description: 'Call',
      status: 'incomplete',
      recurrence_rule: rule,
      ...draft,
    });
    const all = async (more: object = {}) =>
      (await api.scheduledTasks.find({ $limit: 1000, $sort: { due_at: 1 }, ...more })).data;
    const days = async () => (await all()).map(({ due_at }) => due_at?.slice(5, 10));
    const at = async (index: number) => {
      const one = (await all())[index];
      if (!one) throw new Error(`Task ${index} does not exist.`);
      return one;
    };
    /** Sends a task back as it was read, with changes. */
    const put = async (task: Awaited<ReturnType<typeof at>>, changes: object) =>
      api.scheduledTasks.patch({
        ...task,
        assigned_user_id: task.assigned_user_id ?? anna.id,
        due_at: task.due_at ?? '',
        ...changes,
      });
    return { anna, api, first, all, days, at, put };
  };
