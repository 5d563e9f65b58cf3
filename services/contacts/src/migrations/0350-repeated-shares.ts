import { Migration } from '@mikro-orm/migrations';

/**
 * The shares under delegations that repeat another one, oldest first. A share has the delegation under which it was first made,
 * which the previous release knows.
 */
export class RepeatedShares extends Migration {
  override up() {
    this.addSql(`
      create table repeated_shares (
        id bigint generated always as identity primary key,
        share_id integer not null references contact_shares on delete cascade,
        contact_id integer not null,
        delegation_id integer not null,
        shared_by_user_id integer not null,
        unique (share_id, delegation_id)
      );
      create index repeated_shares_delegation on repeated_shares (delegation_id);
    `);
  }
}
