import { Migration } from '@mikro-orm/migrations';

export class Replies extends Migration {
  override up() {
    this.addSql(`
      drop index inbound_texts_waiting;
      create index inbound_texts_waiting on inbound_texts (received_at)
        where passed_on_at is null and meaning <> 'claim';
    `);
  }
}
