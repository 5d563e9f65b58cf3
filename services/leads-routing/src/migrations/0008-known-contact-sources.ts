import { Migration } from '@mikro-orm/migrations';

export class KnownContactSources extends Migration {
  override up() {
    this.addSql(`
      create table known_contact_sources (
        id integer primary key,
        user_id integer not null,
        name varchar(200) not null,
        version integer not null,
        is_removed boolean not null
      );
      create index known_contact_sources_name on known_contact_sources (user_id, name) where not is_removed;
      create index leads_creator_source on leads (creator_user_id, source_id);
    `);
  }
}
