import { Migration } from '@mikro-orm/migrations';

/**
 * The reminder of an all-day task is due in the morning, and that of any other task with the task. A change of whether a task is
 * for a whole day, or of the zone of that day, makes it a task without a reminder. A reminder for the same moment already exists,
 * and is not created again.
 */
export class RemindersAnew extends Migration {
  override up() {
    this.addSql(`
      create function forget_reminder() returns trigger language plpgsql as $$ begin
        new.reminded_of := null;
        return new;
      end $$;
      create trigger tasks_reminded_anew before update of is_all_day, timezone on tasks for each row
        when (old.is_all_day <> new.is_all_day or new.is_all_day and old.timezone <> new.timezone)
        execute function forget_reminder();

      create unique index task_alerts_reminder_at on task_alerts (task_id, of_due_at, due_at) where kind = 'Reminder';
      drop index task_alerts_reminder;

      -- Whether the release before created these for the moment that the task has now is not known.
      update tasks set reminded_of = null from task_alerts alert
        where alert.task_id = tasks.id and alert.kind = 'Reminder' and alert.state in ('Waiting', 'Sending')
          and alert.of_due_at = tasks.due_at;
    `);
  }
}
