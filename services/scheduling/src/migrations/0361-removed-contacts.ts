import { Migration } from '@mikro-orm/migrations';

/** Removed contacts that more tasks name than one transaction can clear. A row is deleted when none does. */
export class RemovedContacts extends Migration {
  override up() {
    this.addSql(`
      create table removed_contacts (
        id integer primary key,
        removed_at timestamptz not null
      );
    `);
  }
}
