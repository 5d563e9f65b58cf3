import { Migration } from '@mikro-orm/migrations';

/** When contacts were sent messages, for a minute, until their contacts are written. */
export class SentMessages extends Migration {
  override up() {
    // No index but the key: a further message to a contact then writes into the page of the one before.
    this.addSql(`
      create table sent_messages (
        contact_id integer primary key,
        last_message_at timestamptz not null,
        kept_at timestamptz not null default now()
      ) with (fillfactor = 50);
    `);
  }
}
