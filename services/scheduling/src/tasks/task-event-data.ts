import type { Task } from './task.entity.ts';
import type { TaskSeries } from './task-series.entity.ts';

/** The data of a task in domain events. */
export function taskEventData({
  id,
  scheduled_event_id,
  owner_user_id,
}: Pick<Task, 'id' | 'scheduled_event_id' | 'owner_user_id'>) {
  return { task_id: id, scheduled_event_id, owner_user_id };
}

/** The data of a recurring task in domain events. */
export function seriesEventData({ id, crm_user_id }: Pick<TaskSeries, 'id' | 'crm_user_id'>) {
  return { scheduled_event_id: id, crm_user_id };
}
