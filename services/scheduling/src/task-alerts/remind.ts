import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { reminderChannel } from './channel.ts';
import { remindAt } from './remind-at.ts';
import {
  addReminders,
  lockRemindable,
  noteReminded,
  type Remindable,
  type Reminder,
} from './reminder.queries.ts';

const everyMs = 1_000;

/** Creates a reminder for each task that is due, so that changes of a task need not maintain reminders. */
export async function remind({ orm }: Pick<Database, 'orm'>): Promise<void> {
  while (await remindOfSome(orm));
}

export const remindWorker: Worker = async ({ database, log }) =>
  repeat('create reminders', everyMs, () => remind(database), log);

async function remindOfSome(orm: Database['orm']): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const tasks = await lockRemindable(query);
    if (tasks.length === 0) return false;
    const reminders = tasks.map(reminderOf).filter((one) => one !== undefined);
    await addReminders(query, reminders);
    await noteReminded(
      query,
      tasks.map(({ id }) => id),
    );
    return true;
  });
}

/** Undefined for the types of tasks that have no reminder. */
function reminderOf(task: Remindable): Reminder | undefined {
  const channel = reminderChannel(task.action_type);
  if (!channel) return undefined;
  const { id: task_id, due_at: of_due_at, assigned_user_id: user_id } = task;
  return { task_id, of_due_at, user_id, channel, due_at: remindAt(task) };
}
