import { Migration } from '@mikro-orm/migrations';

/** The cause of an alert that is sent later. */
export class Causes extends Migration {
  override up() {
    this.addSql('alter table lead_alerts add column cause jsonb');
  }
}
