import { Migration } from '@mikro-orm/migrations';

/**
 * A search reads the words of all leads of a creator from one index, at a cost that does not depend on the leads of
 * others. Words that do not fit into the index are read from the leads.
 */
export class WordsByCreator extends Migration {
  override up() {
    this.addSql(`
      create index leads_creator_words on leads (creator_user_id, id) include (search_text, created_at)
        where octet_length(search_text) <= 2000;
      create index leads_creator_long_words on leads (creator_user_id) where not (octet_length(search_text) <= 2000);
      drop index leads_creator_search;
    `);
  }
}
