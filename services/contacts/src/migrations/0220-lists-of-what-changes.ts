import { Migration } from '@mikro-orm/migrations';

/**
 * Lists stay as fast as they are while contacts change. What is written to a contact goes into the index of shares at once: until
 * now it waited there with that of others, up to 64 kB, and each list of whichever user read all that waited. And contacts are
 * vacuumed when a fiftieth of them has changed, and not a fifth: until then their total is not counted by an index alone.
 */
export class ListsOfWhatChanges extends Migration {
  override up() {
    this.addSql('alter index contacts_shared set (fastupdate = off)');
    this.addSql('alter index contacts_shared reset (gin_pending_list_limit)');
    this.addSql(`select gin_clean_pending_list('contacts_shared')`);
    this.addSql(`alter table contacts set
      (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`);
  }
}
