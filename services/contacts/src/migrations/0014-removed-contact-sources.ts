import { Migration } from '@mikro-orm/migrations';

export class RemovedContactSources extends Migration {
  override up() {
    this.addSql(`
      create table removed_contact_sources (
        id integer primary key,
        user_id integer not null,
        name varchar(255) not null,
        version integer not null,
        removed_at timestamptz not null
      );
      create index removed_contact_sources_user on removed_contact_sources (user_id, removed_at, id);
    `);
  }
}
