import { system } from '@crm/auth';
import { type Database, emFor, queryIn } from '@crm/data';
import { dueIn, type Logger, repeatAfterCommits, type Worker, type WorkerContext } from '@crm/service';
import { postponeRows } from '../postponed/postponed.queries.ts';
import { reminderChannel } from './channel.ts';
import { remindAt } from './remind-at.ts';
import {
  addReminders,
  lockRemindable,
  noteReminded,
  type Remindable,
  type Reminder,
  soonRemindable,
} from './reminder.queries.ts';

const everyMs = 1_000;

type Work = Pick<WorkerContext, 'database' | 'log'>;

/** Creates a reminder for each due task, so that changes of a task need not maintain reminders. */
export async function remind({ database, log }: Work): Promise<void> {
  while (await remindOfSome(database.orm, log));
}

export const remindWorker: Worker = async (context) =>
  repeatAfterCommits(
    'create reminders',
    everyMs,
    async () => {
      await remind(context);
      return dueIn(context.database.query, soonRemindable);
    },
    context,
  );

async function remindOfSome(orm: Database['orm'], log: Logger): Promise<boolean> {
  return emFor(orm, system).transactional(async (em) => {
    const query = queryIn(em);
    const tasks = await lockRemindable(query);
    if (tasks.length === 0) return false;
    const reminders: Reminder[] = [];
    const reminded: number[] = [];
    for (const task of tasks) {
      try {
        const reminder = reminderOf(task);
        if (reminder) reminders.push(reminder);
        reminded.push(task.id);
      } catch (error) {
        log.error({ err: error, task: task.id }, 'a reminder cannot be created, and is postponed');
        await postponeRows(query, 'tasks', [task.id], `Its reminder cannot be created: ${error}`);
      }
    }
    await addReminders(query, reminders);
    await noteReminded(query, reminded);
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
