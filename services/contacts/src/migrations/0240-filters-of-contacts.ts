import { Migration } from '@mikro-orm/migrations';

/**
 * An index tells which contacts of an owner have a source and a hotness, and when they were changed and created: a list
 * by these is counted and sorted without reading the contacts. The index of e-mail addresses by assignee leaves out
 * contacts without an assignee.
 */
export class FiltersOfContacts extends Migration {
  override up() {
    this.addSql(`
      create index contacts_owner_filters on contacts (owner_user_id, source_id, hotness_id, modified_at, id)
        include (created_at);
      drop index contacts_assignee_email;
      create index contacts_assignee_email on contacts (assigned_user_id, lower(email))
        where assigned_user_id is not null;
    `);
  }
}
