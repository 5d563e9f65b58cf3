import { Migration } from '@mikro-orm/migrations';

export class ContactTimeZones extends Migration {
  override up() {
    this.addSql('alter table contacts add column timezone varchar(64);');
  }
}
