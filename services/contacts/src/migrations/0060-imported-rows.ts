import { Migration } from '@mikro-orm/migrations';

export class ImportedRows extends Migration {
  override up() {
    this.addSql(`
      create table imported_rows (
        user_id integer not null,
        key text not null,
        contact_id integer references contacts on delete cascade,
        created_at timestamptz not null,
        primary key (user_id, key)
      );
      create index imported_rows_contact on imported_rows (contact_id);
      create index imported_rows_created_at on imported_rows (created_at);
    `);
  }
}
