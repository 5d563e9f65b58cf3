import { Migration } from '@mikro-orm/migrations';

/** What the token of a link is derived from, except for links of an earlier version. */
export class KeysOfResets extends Migration {
  override up() {
    this.addSql(`
      alter table password_resets add column mail_key uuid;
      create unique index password_resets_mail_key on password_resets (mail_key);
    `);
  }
}
