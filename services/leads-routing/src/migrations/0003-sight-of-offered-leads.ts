import { Migration } from '@mikro-orm/migrations';

export class SightOfOfferedLeads extends Migration {
  override up() {
    this.addSql(`
      create function offered_user_ids(lead_id integer) returns integer[] stable
      return array(
        select o.user_id from lead_offers o
        where o.lead_id = offered_user_ids.lead_id and o.notify_at <= now()
      );
    `);
  }
}
