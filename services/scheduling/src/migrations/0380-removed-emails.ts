import { Migration } from '@mikro-orm/migrations';

/** The unsubscribe links of e-mails to contacts that were removed since. */
export class RemovedEmails extends Migration {
  override up() {
    this.addSql(`
      create table removed_emails (
        key uuid primary key,
        contact_id integer not null,
        address varchar(320) not null,
        sent_at timestamptz not null
      );
      create index removed_emails_sent on removed_emails (sent_at);
    `);
  }
}
