import { Migration } from '@mikro-orm/migrations';

export class DelegatedChanges extends Migration {
  override up() {
    this.addSql(`
      create table delegations (id integer primary key, ended_at timestamptz);

      create table delegated_assignments (
        contact_id integer primary key references contacts on delete cascade,
        delegation_id integer not null,
        previous_user_id integer
      );
      create index delegated_assignments_delegation on delegated_assignments (delegation_id);

      alter table contact_shares add column delegation_id integer;
      create index contact_shares_delegation on contact_shares (delegation_id) where delegation_id is not null;
    `);
  }
}
