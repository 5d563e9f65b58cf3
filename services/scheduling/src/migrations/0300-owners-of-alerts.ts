import { Migration } from '@mikro-orm/migrations';

/**
 * Alerts of tasks and notices of texts have an owner, so that owners share the slots. Rows that an instance of the previous
 * release adds share the slots of one owner, 0.
 */
export class OwnersOfAlerts extends Migration {
  override up() {
    this.addSql(`
      alter table task_alerts add column owner_user_id integer not null default 0;
      update task_alerts set owner_user_id = tasks.owner_user_id from tasks
        where tasks.id = task_alerts.task_id and task_alerts.state in ('Waiting', 'Sending');
      create index task_alerts_shared on task_alerts (channel, owner_user_id, next_attempt_at, id) where state = 'Waiting';

      alter table text_notices add column owner_user_id integer not null default 0;
      update text_notices set owner_user_id = user_id where user_id is not null and state in ('Waiting', 'Sending');
      create index text_notices_shared on text_notices (channel, owner_user_id, next_attempt_at, id) where state = 'Waiting';
    `);
  }
}
