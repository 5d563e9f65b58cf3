import { Migration } from '@mikro-orm/migrations';

/**
 * An all-day task counts as reminded from a day before on, also if its type has no reminder; and a reminder is dropped if the
 * task does not have to be done in the morning. So a task whose type is changed, or that is to be done again, becomes a task
 * without a reminder. One that was sent or may have been sent, or that is waiting, already exists and is not created again.
 */
export class RemindersOfChangedTasks extends Migration {
  override up() {
    this.addSql(`
      create or replace trigger tasks_reminded_anew
        before update of is_all_day, timezone, action_type, status, notify_assignee, assigned_user_id on tasks for each row
        when (old.is_all_day <> new.is_all_day
          or new.is_all_day and (old.timezone <> new.timezone or old.action_type <> new.action_type)
          or old.status <> 'incomplete' and new.status = 'incomplete'
          or not old.notify_assignee and new.notify_assignee
          or old.assigned_user_id is null and new.assigned_user_id is not null)
        execute function forget_reminder();
    `);
  }
}
