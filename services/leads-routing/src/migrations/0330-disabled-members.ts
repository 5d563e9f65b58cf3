import { Migration } from '@mikro-orm/migrations';

/** Users who were disabled, until the requests that may still make offers to them have ended. */
export class DisabledMembers extends Migration {
  override up() {
    this.addSql(`
      create table disabled_members (
        user_id integer primary key,
        disabled_at timestamptz not null
      );
    `);
  }
}
