import { Migration } from '@mikro-orm/migrations';

/** Removed contacts with more messages than one transaction can remove. A row is deleted when nothing is left. */
export class RemovedRecipients extends Migration {
  override up() {
    this.addSql(`
      create table removed_recipients (
        id integer primary key,
        removed_at timestamptz not null
      );
    `);
  }
}
