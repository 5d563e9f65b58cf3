import { Migration } from '@mikro-orm/migrations';

/** As for contacts: new words go into the index many at a time. */
export class SearchInBatches extends Migration {
  override up() {
    this.addSql('alter index leads_creator_search set (fastupdate = on, gin_pending_list_limit = 256)');
  }
}
