import { Migration } from '@mikro-orm/migrations';

/**
 * A removed task category is hidden, and its row is deleted when a worker has cleared it from the tasks and series that have it,
 * because one statement cannot change all of them in time. Few are removed at any moment, and each read of tasks checks for them.
 */
export class RemovedTaskCategories extends Migration {
  override up() {
    this.addSql(`
      alter table task_categories add column removed_at timestamptz;
      create index task_categories_removed on task_categories (removed_at, id) where removed_at is not null;
    `);
  }
}
