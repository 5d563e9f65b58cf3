import { Migration } from '@mikro-orm/migrations';

/** How much an account might still send when it was last counted, minus what was sent since: a lower bound. */
export class AccountRooms extends Migration {
  override up() {
    this.addSql(`
      create table account_rooms (
        send_from_user_id integer not null,
        type varchar(20) not null,
        room integer not null,
        counted_at timestamptz not null,
        primary key (send_from_user_id, type)
      );
    `);
  }
}
