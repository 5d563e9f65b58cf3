import { Migration } from '@mikro-orm/migrations';

/** The number of attempts without a response, which may have sent the message. */
export class DoubtfulAttempts extends Migration {
  override up() {
    this.addSql(`
      alter table lead_alerts add column doubtful_attempts integer not null default 0;
    `);
  }
}
