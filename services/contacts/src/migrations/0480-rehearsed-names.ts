import { Migration } from '@mikro-orm/migrations';

/** The names that contacts would have after a dry run, because rows with the same address are told apart by them. */
export class RehearsedNames extends Migration {
  override up() {
    this.addSql('alter table import_rehearsals add column first_name text, add column last_name text');
  }
}
