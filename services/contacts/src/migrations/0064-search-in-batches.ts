import { Migration } from '@mikro-orm/migrations';

/**
 * New words go to a list that is short enough to be read by each search, and from there into the index many at a time, which
 * costs a fraction of the work of a change.
 */
export class SearchInBatches extends Migration {
  override up() {
    this.addSql('alter index contacts_owner_search set (fastupdate = on, gin_pending_list_limit = 256)');
  }
}
