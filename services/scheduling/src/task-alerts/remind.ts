import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { repeat, type Worker } from '@crm/service';
import { reminderChannel } from './channel.ts';
import { remindAt } from './remind-at.ts';
import {
  addReminders,
  holdRemindable,
  noteReminded,
  type Remindable,
  type Reminder,
} from './reminder.queries.ts';

const everyMs = 1_000;

/** Makes a reminder of each task whose time has come, so that changing a task needs no thought of reminders. */
export async function remind({ orm }: Pick<Database, 'orm'>): Promise<void> {
  while (await remindOfSome(orm));
}

export const remindWorker: Worker = async ({ database, log }) =>
  repeat('make reminders', everyMs, () => remind(database), log);

async function remindOfSome(orm: Database['orm']): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const tasks = await holdRemindable(query);
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

/** Nobody is reminded of a task of some types. */
function reminderOf(task: Remindable): Reminder | undefined {
  const channel = reminderChannel(task.action_type);
  if (!channel) return undefined;
  const { id: task_id, due_at: of_due_at, assigned_user_id: user_id } = task;
  return { task_id, of_due_at, user_id, channel, due_at: remindAt(task) };
}
