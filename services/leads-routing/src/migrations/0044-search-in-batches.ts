import { Migration } from '@mikro-orm/migrations';

/** Adds new words to the index in batches, as for contacts. */
export class SearchInBatches extends Migration {
  override up() {
    this.addSql('alter index leads_creator_search set (fastupdate = on, gin_pending_list_limit = 256)');
  }
}
