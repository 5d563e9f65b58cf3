import { Migration } from '@mikro-orm/migrations';

/** An index for the history of one record, without which the whole audit log would have to be read. */
export class History extends Migration {
  override up() {
    this.addSql('create index audit_events_record on audit_events (record_type, record_id, created_at)');
  }
}
