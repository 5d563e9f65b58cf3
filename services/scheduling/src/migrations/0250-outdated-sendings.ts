import { Migration } from '@mikro-orm/migrations';

/** Each removal of a contact searches for messages that were sent too long ago to count for limits. */
export class OutdatedSendings extends Migration {
  override up() {
    this.addSql('create index removed_sendings_begun on removed_sendings (begun_at);');
  }
}
