import { Migration } from '@mikro-orm/migrations';

/** When the provider's list of texts was last read. */
export class TextFetches extends Migration {
  override up() {
    this.addSql(`
      create table text_fetches (
        is_only boolean primary key default true check (is_only),
        fetched_at timestamptz not null
      );
    `);
  }
}
