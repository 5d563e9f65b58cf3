import { Migration } from '@mikro-orm/migrations';

export class AlertPreferences extends Migration {
  override up() {
    this.addSql(`
      alter table users
        add column has_text_alerts boolean not null default true,
        add column has_call_alerts boolean not null default true;
    `);
  }
}
