import { Migration } from '@mikro-orm/migrations';

export class Outcomes extends Migration {
  override up() {
    this.addSql(`
      alter table communications
        add column sent_digest varchar(64),
        add column reference text,
        add column delivery_state varchar(12),
        add column reopened_at timestamptz,
        add column problem varchar(500),
        add column postponed_until timestamptz,
        drop constraint communications_dispatch_state_check,
        add constraint communications_dispatch_state_check
          check (dispatch_state in ('Scheduled', 'Sending', 'Unknown', 'Sent', 'Failed', 'Dropped'));
      create unique index communications_key on communications (key);
      create index communications_unknown on communications (next_attempt_at) where dispatch_state = 'Unknown';
      create index communications_problem on communications (id) where problem is not null;

      alter table task_alerts
        add column sent_to varchar(320),
        add column sent_digest varchar(64),
        add column reference text,
        add column delivery_state varchar(12),
        drop constraint task_alerts_state_check,
        add constraint task_alerts_state_check
          check (state in ('Waiting', 'Sending', 'Unknown', 'Done', 'Failed', 'Dropped'));
      create unique index task_alerts_key on task_alerts (key);
      create index task_alerts_unknown on task_alerts (next_attempt_at) where state = 'Unknown';

      alter table tasks add column problem varchar(500), add column postponed_until timestamptz;
      create index tasks_problem on tasks (id) where problem is not null;
      alter table task_series add column problem varchar(500);
      create index task_series_problem on task_series (id) where problem is not null;

      alter table enrolment_ends
        add column removed_at timestamptz,
        add column problem varchar(500),
        add column postponed_until timestamptz;
      update enrolment_ends set removed_at = ended_at;
      create index enrolment_ends_unremoved on enrolment_ends (ended_at) where removed_at is null;

      create index replies_number on replies (number, replied_at);
      create table contact_replies (
        contact_id integer primary key,
        replied_at timestamptz not null
      );
      create table opt_out_changes (
        contact_id integer primary key,
        noted_at timestamptz not null
      );
    `);
  }
}
