import { Migration } from '@mikro-orm/migrations';

/**
 * Removed contacts to which more tasks refer than one transaction can clear. A row is deleted when no task refers to its contact.
 */
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
