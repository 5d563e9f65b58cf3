import { Migration } from '@mikro-orm/migrations';

export class SightOfMembers extends Migration {
  override up() {
    this.addSql(`
      create function offered_to(lead_id integer) returns text[] stable
      return array(
        select o.team_id || '/' || o.user_id from lead_offers o
        where o.lead_id = offered_to.lead_id and o.notify_at <= now() and o.declined_at is null
          and o.withdrawn_at is null and exists (
            select from distribution_options d where d.team_id = o.team_id and d.user_id = o.user_id)
      );
    `);
  }
}
