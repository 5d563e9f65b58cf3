import { Migration } from '@mikro-orm/migrations';

/**
 * The words of all contacts of an owner or assignee are read from one place, at a cost that does not depend on how many contacts
 * others have. Words that do not fit into an index are read from the contacts. The tags of an owner and the owners of what is
 * assigned to somebody are read from their indexes, too.
 */
export class WordsByOwner extends Migration {
  override up() {
    this.addSql(`
      create index contacts_owner_words on contacts (owner_user_id, id) include (search_text, modified_at)
        where octet_length(search_text) <= 2000;
      create index contacts_owner_long_words on contacts (owner_user_id) where not (octet_length(search_text) <= 2000);
      create index contacts_assignee_words on contacts (assigned_user_id, id) include (search_text, modified_at)
        where octet_length(search_text) <= 2000 and assigned_user_id is not null;
      create index contacts_assignee_long_words on contacts (assigned_user_id)
        where not (octet_length(search_text) <= 2000) and assigned_user_id is not null;
      drop index contacts_owner_search;

      create index contacts_assignee_owner on contacts (assigned_user_id, id) include (owner_user_id)
        where assigned_user_id is not null;
      drop index contacts_assignee;

      create index contact_tags_tag_contact on contact_tags (tag_id, contact_id);
      drop index contact_tags_tag;
    `);
  }
}
