import { Migration } from '@mikro-orm/migrations';

/** The events that a user has recorded of contacts of others are found without those that their owners have recorded. */
export class RecordedEvents extends Migration {
  override up() {
    this.addSql(`create index events_recorded on events (user_id, owner_user_id, id)
      where user_id <> owner_user_id`);
  }
}
