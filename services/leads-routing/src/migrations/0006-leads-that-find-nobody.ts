import { Migration } from '@mikro-orm/migrations';

export class LeadsThatFindNobody extends Migration {
  override up() {
    this.addSql(`
      alter table lead_routes add column makes_offers boolean not null default false;

      alter table leads
        add column makes_offers boolean not null default false,
        add column fallback_reason varchar(30)
          check (fallback_reason in ('Route incomplete', 'No team for zip code', 'Nobody to offer it to', 'Nobody claimed it')),
        add column runs_out_at timestamptz,
        add column contact_given_at timestamptz,
        add check (fallback_reason is null or distribution_target = 'Myself');
      -- Winners of earlier leads may have left the team since.
      update leads set contact_given_at = claimed_at where claimed_at is not null;
      create index leads_run_out on leads (id) where runs_out_at is not null;
      create index leads_contact_to_give on leads (id)
        where claimed_by_user_id is not null and contact_owner_user_id is not null and contact_given_at is null;

      alter table lead_offers
        add column declined_at timestamptz,
        add column withdrawn_at timestamptz;
      -- An alert to the creator of a lead is about no offer.
      alter table lead_alerts
        alter column offer_id drop not null,
        add column lead_id integer unique references leads (id) on delete cascade,
        add check (num_nonnulls(offer_id, lead_id) = 1);

      create or replace function offered_user_ids(lead_id integer) returns integer[] stable
      return array(
        select o.user_id from lead_offers o
        where o.lead_id = offered_user_ids.lead_id and o.notify_at <= now() and o.declined_at is null
          and o.withdrawn_at is null and exists (
            select from distribution_options d where d.team_id = o.team_id and d.user_id = o.user_id)
      );
    `);
  }
}
