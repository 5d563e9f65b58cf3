import { Migration } from '@mikro-orm/migrations';

/** The origin of a row that is sent later. */
export class Causes extends Migration {
  override up() {
    this.addSql('alter table communications add column cause jsonb');
    this.addSql('alter table task_alerts add column cause jsonb');
    this.addSql('alter table text_notices add column cause jsonb');
  }
}
