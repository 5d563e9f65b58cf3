import { Migration } from '@mikro-orm/migrations';

export class Outcomes extends Migration {
  override up() {
    this.addSql(`
      alter table lead_alerts
        alter column sent_to type varchar(320),
        add column sent_digest varchar(64),
        add column reference text,
        add column delivery_state varchar(12),
        drop constraint lead_alerts_state_check,
        add constraint lead_alerts_state_check
          check (state in ('Waiting', 'Sending', 'Unknown', 'Done', 'Failed', 'Dropped'));
      create index lead_alerts_unknown on lead_alerts (next_attempt_at) where state = 'Unknown';
    `);
  }
}
