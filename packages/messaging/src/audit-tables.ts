/**
 * The audit log of a service: one partition per month, which is dropped as a whole when it expires, and one for rows of months
 * without a partition. Rows can be added but not changed or deleted, not even by the owner of the table.
 */
export const auditTables = `
create table audit_events (
  id uuid not null,
  created_at timestamptz not null default date_trunc('milliseconds', now()),
  actor_type text not null,
  user_id integer,
  act_user_id integer,
  client_id text,
  token_id integer,
  address text,
  request_id text not null,
  action text not null,
  record_type text,
  record_id integer,
  primary key (created_at, id)
) partition by range (created_at);
create index audit_events_user on audit_events (user_id, created_at);
create table audit_events_default partition of audit_events default;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % can only be added.', tg_table_name;
end
$$;
create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function refuse_change();

create function add_audit_partitions() returns void language plpgsql as $$
declare
  months timestamp[];
  month timestamp;
  name text;
begin
  perform pg_advisory_xact_lock(hashtextextended('partitions of ' || 'audit_events'::regclass::oid, 0));
  months := array(
    select date_trunc('month', now() at time zone 'UTC') + n * interval '1 month' from generate_series(0, 2) n
    union select date_trunc('month', created_at at time zone 'UTC') from audit_events_default);
  foreach month in array months loop
    name := 'audit_events_' || to_char(month, 'YYYY_MM');
    continue when to_regclass(name) is not null;
    if exists (select from audit_events_default where created_at >= month at time zone 'UTC'
               and created_at < (month + interval '1 month') at time zone 'UTC') then
      -- The rows would contradict the new partition. They are moved to it, and the others to a new default partition.
      alter table audit_events detach partition audit_events_default;
      alter table audit_events_default rename to audit_events_unsorted;
      create table audit_events_default (like audit_events including defaults);
      alter table audit_events attach partition audit_events_default default;
    end if;
    execute format('create table %I partition of audit_events for values from (%L) to (%L)',
      name, month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC');
    if to_regclass('audit_events_unsorted') is not null then
      insert into audit_events select * from audit_events_unsorted;
      drop table audit_events_unsorted;
    end if;
  end loop;
end
$$;
select add_audit_partitions();
`;
