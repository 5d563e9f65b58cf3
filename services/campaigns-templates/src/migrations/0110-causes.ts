import { Migration } from '@mikro-orm/migrations';

/** The cause of everything that is scheduled for a contact in a campaign. */
export class Causes extends Migration {
  override up() {
    this.addSql('alter table campaign_contacts add column cause jsonb');
  }
}
