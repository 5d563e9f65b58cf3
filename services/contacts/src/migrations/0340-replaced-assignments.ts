import { Migration } from '@mikro-orm/migrations';

/**
 * The assignments under delegations that another delegation has replaced, oldest first. Deleted with the last one,
 * which has a row per contact in the table that the previous release knows.
 */
export class ReplacedAssignments extends Migration {
  override up() {
    this.addSql(`
      create table replaced_assignments (
        id bigint generated always as identity primary key,
        contact_id integer not null references delegated_assignments on delete cascade,
        delegation_id integer not null,
        previous_user_id integer
      );
      create index replaced_assignments_contact on replaced_assignments (contact_id);
      create index replaced_assignments_delegation on replaced_assignments (delegation_id);
    `);
  }
}
