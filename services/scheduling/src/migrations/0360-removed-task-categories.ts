import { Migration } from '@mikro-orm/migrations';

/**
 * A removed task category is hidden, and its row is deleted when a worker has taken it from the tasks and series that
 * have it: one statement cannot write them all in time. Few are removed at any moment, and each read of tasks looks
 * for them.
 */
export class RemovedTaskCategories extends Migration {
  override up() {
    this.addSql(`
      alter table task_categories add column removed_at timestamptz;
      create index task_categories_removed on task_categories (removed_at, id) where removed_at is not null;
    `);
  }
}
