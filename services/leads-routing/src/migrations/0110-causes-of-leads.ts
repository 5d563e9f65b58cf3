import { Migration } from '@mikro-orm/migrations';

/** What the return of a lead that nobody claims follows from. */
export class CausesOfLeads extends Migration {
  override up() {
    this.addSql('alter table leads add column cause jsonb');
  }
}
