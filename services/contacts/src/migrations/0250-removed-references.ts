import { Migration } from '@mikro-orm/migrations';

/**
 * A removed hotness or contact source is hidden, and its row is deleted when a worker has taken it from the contacts
 * that have it: one statement cannot write them all in time. Few are removed at any moment, and each read of contacts
 * looks for them.
 */
export class RemovedReferences extends Migration {
  override up() {
    for (const table of ['hotnesses', 'contact_sources'])
      this.addSql(`
        alter table ${table} add column removed_at timestamptz;
        create index ${table}_removed on ${table} (removed_at, id) where removed_at is not null;
      `);
  }
}
