import { Migration } from '@mikro-orm/migrations';

export class Dispatch extends Migration {
  override up() {
    this.addSql(`
      alter table lead_alerts
        add column begun_at timestamptz,
        add column sent_to varchar(20);
      drop index lead_alerts_due;
      create index lead_alerts_due on lead_alerts (kind, next_attempt_at, id) where state = 'Waiting';
      create index lead_alerts_sent_to on lead_alerts (sent_to, id) where sent_to is not null;

      create table inbound_texts (
        id varchar(64) primary key,
        from_number varchar(20) not null,
        body varchar(1600) not null,
        meaning varchar(10) not null check (meaning in ('claim', 'stop', 'start', 'other')),
        lead_id integer,
        user_id integer,
        received_at timestamptz not null,
        passed_on_at timestamptz
      );
      create index inbound_texts_received on inbound_texts (received_at);
      create index inbound_texts_waiting on inbound_texts (received_at)
        where passed_on_at is null and meaning in ('stop', 'start');
    `);
  }
}
