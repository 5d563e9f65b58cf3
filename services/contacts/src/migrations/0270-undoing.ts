import { Migration } from '@mikro-orm/migrations';

/** What a delegation has led to is undone in portions after its end: one transaction cannot change as many contacts in time. */
export class Undoing extends Migration {
  override up() {
    this.addSql(`
      alter table delegations
        add column undo_due_at timestamptz,
        add column undo_attempts integer not null default 0,
        add column undo_request_id text;
      create index delegations_undone_next on delegations (undo_due_at) where undo_due_at is not null;
    `);
  }
}
