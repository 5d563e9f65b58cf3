import { Migration } from '@mikro-orm/migrations';

/** How many attempts may have sent a message, without an answer. */
export class DoubtfulAttempts extends Migration {
  override up() {
    this.addSql(`
      alter table lead_alerts add column doubtful_attempts integer not null default 0;
    `);
  }
}
