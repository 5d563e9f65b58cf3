import { Migration } from '@mikro-orm/migrations';

/** Claimed leads whose contact an instance of the previous release has given under a delegation. */
export class ContactsToKeep extends Migration {
  override up() {
    this.addSql(`
      create index leads_contact_to_keep on leads (id)
        where delegation_id is not null and contact_given_at is not null and claimed_at > created_at;
    `);
  }
}
