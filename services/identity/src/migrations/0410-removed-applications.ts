import { Migration } from '@mikro-orm/migrations';

/**
 * A removed application is hidden and disabled, and its row is deleted when a worker has deleted its tokens and
 * consents: one statement could not delete them all in time. Few applications are being removed at any moment.
 */
export class RemovedApplications extends Migration {
  override up() {
    this.addSql(`
      alter table applications add column removed_at timestamptz;
      create index applications_removed on applications (removed_at, id) where removed_at is not null;
    `);
  }
}
