import { Migration } from '@mikro-orm/migrations';

export class BulkEnrolments extends Migration {
  override up() {
    this.addSql(`
      create table bulk_enrolments (
        bulk_operation_id integer primary key,
        request_id text not null,
        -- How many contacts were dealt with here, of which the last may not be settled with the operation yet.
        processed integer not null default 0,
        -- Those of the last portion.
        problems jsonb not null default '[]',
        attempts integer not null default 0,
        due_at timestamptz not null default now()
      );
      create index bulk_enrolments_due on bulk_enrolments (due_at, bulk_operation_id);
      create trigger bulk_enrolments_wakes_workers after insert on bulk_enrolments
        for each statement execute function wake_workers();
    `);
  }
}
