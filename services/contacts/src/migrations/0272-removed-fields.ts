import { Migration } from '@mikro-orm/migrations';

/** Removed custom fields and static lists are hidden, and deleted by a worker after the rows of their contacts. */
export class RemovedFields extends Migration {
  override up() {
    for (const table of ['custom_fields', 'static_lists'])
      this.addSql(`
        alter table ${table} add column removed_at timestamptz;
        create index ${table}_removed on ${table} (id) where removed_at is not null;
      `);
  }
}
