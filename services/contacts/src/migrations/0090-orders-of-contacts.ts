import { Migration } from '@mikro-orm/migrations';

/** For clients that ask for the newest or last changed contacts, also of those that are assigned to them. */
export class OrdersOfContacts extends Migration {
  override up() {
    this.addSql(`
      create index contacts_owner_created on contacts (owner_user_id, created_at, id);
      create index contacts_assignee_created on contacts (assigned_user_id, created_at, id) where assigned_user_id is not null;
      create index contacts_assignee_modified on contacts (assigned_user_id, modified_at, id) where assigned_user_id is not null;
    `);
  }
}
