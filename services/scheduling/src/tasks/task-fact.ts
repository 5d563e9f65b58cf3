import type { TaskSeries } from '../task-series/task-series.entity.ts';
import type { Task } from './task.entity.ts';

/** What events tell of a task. A removal is a version of its own, one after the last. */
export function factOfTask(
  {
    id,
    version,
    scheduled_event_id,
    owner_user_id,
  }: Pick<Task, 'id' | 'version' | 'scheduled_event_id' | 'owner_user_id'>,
  later = 0,
) {
  return { id, version: version + later, data: { task_id: id, scheduled_event_id, owner_user_id } };
}

/** What events tell of a recurring task. */
export function factOfSeries(
  { id, version, crm_user_id }: Pick<TaskSeries, 'id' | 'version' | 'crm_user_id'>,
  later = 0,
) {
  return { id, version: version + later, data: { scheduled_event_id: id, crm_user_id } };
}
