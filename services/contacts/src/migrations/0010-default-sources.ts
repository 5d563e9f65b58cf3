import { Migration } from '@mikro-orm/migrations';

export class DefaultSources extends Migration {
  override up() {
    this.addSql(`
      create table users_with_default_sources (user_id integer primary key);
      insert into users_with_default_sources (user_id) select distinct user_id from contact_sources;
      create index contact_sources_modified on contact_sources (user_id, modified_at, id);
    `);
  }
}
