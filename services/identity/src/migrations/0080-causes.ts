import { Migration } from '@mikro-orm/migrations';

/** The cause of an e-mail that is sent later. */
export class Causes extends Migration {
  override up() {
    this.addSql('alter table account_mails add column cause jsonb');
  }
}
