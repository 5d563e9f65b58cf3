import { Migration } from '@mikro-orm/migrations';

/** How many attempts without a response may have sent a message. */
export class DoubtfulAttempts extends Migration {
  override up() {
    this.addSql(`
      alter table communications add column doubtful_attempts integer not null default 0;
      alter table task_alerts add column doubtful_attempts integer not null default 0;
      alter table text_notices add column doubtful_attempts integer not null default 0;

      -- With when one began to be sent that may have been, and waits to be sent again.
      create or replace view sendings as
        select send_from_user_id, contact_id, campaign_id, type, sent_to, sent_digest, begun_at, dispatch_state, doubtful_since
        from communications
        union all select *, null from removed_sendings;
    `);
  }
}
