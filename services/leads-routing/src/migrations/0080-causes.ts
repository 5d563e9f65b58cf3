import { Migration } from '@mikro-orm/migrations';

/** What a row that is sent later follows from. */
export class Causes extends Migration {
  override up() {
    this.addSql('alter table lead_alerts add column cause jsonb');
  }
}
