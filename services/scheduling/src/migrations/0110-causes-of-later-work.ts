import { Migration } from '@mikro-orm/migrations';

/** What reminders, occurrences and everything that a text leads to follow from. */
export class CausesOfLaterWork extends Migration {
  override up() {
    this.addSql('alter table tasks add column cause jsonb');
    this.addSql('alter table task_series add column cause jsonb');
    this.addSql('alter table inbound_texts add column cause jsonb');
  }
}
