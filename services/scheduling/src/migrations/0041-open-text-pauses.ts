import { Migration } from '@mikro-orm/migrations';

/** The pauses that somebody has to decide, and the texts that caused them. */
export class OpenTextPauses extends Migration {
  override up() {
    this.addSql(`
      create index text_pauses_open on text_pauses (number) where ended_at is null;
      create index inbound_texts_pausing on inbound_texts (from_number, received_at) where meaning = 'pause';
    `);
  }
}
