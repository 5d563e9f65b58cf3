import { Migration } from '@mikro-orm/migrations';

export class DelegatedLeads extends Migration {
  override up() {
    this.addSql('alter table leads add column delegation_id integer;');
  }
}
