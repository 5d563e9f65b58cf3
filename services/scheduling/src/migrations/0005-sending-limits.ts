import { Migration } from '@mikro-orm/migrations';

export class SendingLimits extends Migration {
  override up() {
    this.addSql(`
      create index communications_begun on communications (send_from_user_id, type, begun_at)
        where begun_at is not null;

      -- What was sent to contacts that were removed since, so that removing them does not lift the limits of a day.
      create table removed_sendings (
        send_from_user_id integer not null,
        contact_id integer not null,
        campaign_id integer not null,
        type varchar(20) not null,
        sent_to varchar(320),
        sent_digest varchar(64),
        begun_at timestamptz not null,
        dispatch_state varchar(10) not null
      );
      create index removed_sendings_account on removed_sendings (send_from_user_id, type, begun_at);
      create index removed_sendings_sent_to on removed_sendings (sent_to);
      create view sendings as
        select send_from_user_id, contact_id, campaign_id, type, sent_to, sent_digest, begun_at, dispatch_state
        from communications
        union all select * from removed_sendings;

      create table sending_pauses (
        user_id integer primary key,
        paused_at timestamptz not null
      );
    `);
  }
}
