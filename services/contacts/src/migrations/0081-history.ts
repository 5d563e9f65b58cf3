import { Migration } from '@mikro-orm/migrations';

/** What was done to one record. The log has more rows of others than anybody could wait for. */
export class History extends Migration {
  override up() {
    this.addSql('create index audit_events_record on audit_events (record_type, record_id, created_at)');
  }
}
