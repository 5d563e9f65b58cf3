import { Migration } from '@mikro-orm/migrations';

/** The origins of reminders, of occurrences, and of everything that a text leads to. */
export class CausesOfLaterWork extends Migration {
  override up() {
    this.addSql('alter table tasks add column cause jsonb');
    this.addSql('alter table task_series add column cause jsonb');
    this.addSql('alter table inbound_texts add column cause jsonb');
  }
}
