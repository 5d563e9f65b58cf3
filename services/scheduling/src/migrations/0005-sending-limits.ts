import { Migration } from '@mikro-orm/migrations';

export class SendingLimits extends Migration {
  override up() {
    this.addSql(`
      create index communications_begun on communications (send_from_user_id, type, begun_at)
        where begun_at is not null;

      create table sending_pauses (
        user_id integer primary key,
        paused_at timestamptz not null
      );
    `);
  }
}
