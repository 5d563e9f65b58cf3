import { Migration } from '@mikro-orm/migrations';

/** The URLs of the attachments of incoming texts. */
export class MediaOfTexts extends Migration {
  override up() {
    this.addSql("alter table inbound_texts add column media_urls text[] not null default '{}'");
  }
}
