import { Migration } from '@mikro-orm/migrations';

/** The cause of the return of a lead that nobody claims. */
export class CausesOfLeads extends Migration {
  override up() {
    this.addSql('alter table leads add column cause jsonb');
  }
}
