/**
 * The outbox and the inbox, for the first migration of a service. The names are unqualified, so the tables are created
 * in the first schema of the role's search path.
 */
export const messagingTables = `
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  subject text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  published_at timestamptz
);
create index outbox_unpublished on outbox (id) where published_at is null;
create index outbox_published on outbox (published_at) where published_at is not null;

create table inbox (
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index inbox_received on inbox (received_at);

create function wake_relay() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox_' || tg_relid, '');
  return null;
end
$$;
create trigger outbox_wakes_relay after insert on outbox for each statement execute function wake_relay();
`;

/** What consumers know of messages that failed, and relays of the stream that they publish to. */
export const deliveryTables = `
create table inbox_failures (
  consumer text not null,
  event_id uuid not null,
  failures integer not null,
  reason text not null,
  failed_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index inbox_failures_failed on inbox_failures (failed_at);

create table published_streams (
  name text primary key,
  created text not null,
  last_seq bigint not null,
  lost_at timestamptz
);
`;

/** What a relay needs to notice that the broker has lost events at the end of the stream or in between. */
export const lostEventColumns = `
alter table published_streams
  add column last_event_seq bigint, add column last_event_id uuid, add column missing bigint not null default 0;
`;

/** The time since which published events are republished, until all of them are pending. */
export const republishingColumn = `
alter table published_streams add column republish_from timestamptz;
`;

/**
 * The messages that consumers could not handle, in full. Headers are not `jsonb`, which cannot contain NUL. Nothing expires,
 * because somebody must look at each message.
 */
export const deadLetterTable = `
create table dead_letters (
  id integer generated always as identity primary key,
  event_id uuid unique,
  subject text not null,
  headers json not null,
  data bytea not null,
  reason text not null,
  failures integer not null,
  stream text not null,
  seq bigint not null,
  sent_at timestamptz not null,
  died_at timestamptz not null default now(),
  unique (stream, seq, sent_at)
);
`;

/**
 * Notifies the workers of a service, in all its processes, of inserts into their tables, as the outbox does for its own: a
 * transaction that inserts rows need not write an event.
 */
export const notifyOfInserts = (...tables: readonly string[]): string => `
create function wake_workers() returns trigger language plpgsql set search_path from current as $$
begin
  perform pg_notify('outbox_' || 'outbox'::regclass::oid, '');
  return null;
end
$$;
${tables
  .map(
    (name) =>
      `create trigger ${name}_wakes_workers after insert on ${name} for each statement execute function wake_workers();`,
  )
  .join('\n')}
`;

const throttled = (name: string, outbox: string) => `
create or replace function ${name}() returns trigger language plpgsql as $$
declare
  told timestamptz := nullif(current_setting('crm.told_at', true), '');
begin
  if clock_timestamp() between told and told + interval '200 milliseconds' then
    return null;
  end if;
  perform set_config('crm.told_at', clock_timestamp()::text, false);
  perform pg_notify('outbox_' || ${outbox}, '');
  return null;
end
$$;
`;

/**
 * Limits the notifications of a session to one in 200 ms: PostgreSQL serializes commits that notify, and wakes every listener
 * of the database, whatever its service. Listeners therefore check once more after that time.
 */
export const throttledNotifications = throttled('wake_relay', 'tg_relid');

/** Limits the notifications of inserts into the tables of workers in the same way. */
export const throttledInsertNotifications = throttled(
  'wake_workers',
  "(quote_ident(tg_table_schema) || '.outbox')::regclass::oid",
);
