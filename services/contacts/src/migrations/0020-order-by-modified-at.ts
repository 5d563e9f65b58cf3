import { Migration } from '@mikro-orm/migrations';

/** For clients that ask for what has changed last. */
export class OrderByModifiedAt extends Migration {
  override up() {
    this.addSql('create index contacts_owner_modified on contacts (owner_user_id, modified_at, id)');
  }
}
