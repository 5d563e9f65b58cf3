import { Migration } from '@mikro-orm/migrations';

export class RecordedTexts extends Migration {
  override up() {
    this.addSql(`
      alter table events add column text_id varchar(64);
      create unique index events_text on events (text_id, contact_id) where text_id is not null;
    `);
  }
}
