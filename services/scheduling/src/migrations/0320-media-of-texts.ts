import { Migration } from '@mikro-orm/migrations';

/** The addresses of what is attached to texts that come in. */
export class MediaOfTexts extends Migration {
  override up() {
    this.addSql("alter table inbound_texts add column media_urls text[] not null default '{}'");
  }
}
