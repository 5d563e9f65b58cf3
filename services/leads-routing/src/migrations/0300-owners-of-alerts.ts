import { Migration } from '@mikro-orm/migrations';

/**
 * Alerts store on whose behalf they are sent, the creator of their lead, so that slots are shared fairly between
 * owners. Alerts that an instance of the previous release adds have the owner 0.
 */
export class OwnersOfAlerts extends Migration {
  override up() {
    this.addSql(`
      alter table lead_alerts add column owner_user_id integer not null default 0;
      update lead_alerts set owner_user_id = leads.creator_user_id from leads
        where leads.id = coalesce(
            lead_alerts.lead_id, (select o.lead_id from lead_offers o where o.id = lead_alerts.offer_id)
          ) and lead_alerts.state in ('Waiting', 'Sending');
      create index lead_alerts_shared on lead_alerts (kind, owner_user_id, next_attempt_at, id) where state = 'Waiting';
    `);
  }
}
