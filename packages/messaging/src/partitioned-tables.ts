import { streamDays } from '@crm/events';
/**
 * Makes the outbox and the inbox partitioned without reading their rows: the tables become the default partitions of new ones
 * of their names, and `keepPartitions` adds others. Instances of the previous version continue to work with them. The sequence
 * of the outbox continues.
 */
export const partitionedMessagingTables = `
lock table outbox, inbox in access exclusive mode;
do $$
declare
  next bigint := nextval(pg_get_serial_sequence('outbox', 'id'));
begin
  drop trigger outbox_wakes_relay on outbox;
  alter table outbox alter column id drop identity;
  alter table outbox rename to outbox_default;
  create table outbox (like outbox_default including defaults) partition by range (published_at);
  execute format('alter table outbox alter column id add generated always as identity (start with %s)', next);
  alter table outbox attach partition outbox_default default;
  create trigger outbox_wakes_relay after insert on outbox for each statement execute function wake_relay();

  alter table inbox rename to inbox_default;
  create table inbox (like inbox_default including defaults including indexes) partition by range (event_id);
  alter table inbox attach partition inbox_default default;
end
$$;
`;

/** A table with a partition for each period of time, which is dropped when nobody needs anything in it any longer. */
export interface PartitionedTable {
  readonly name: string;
  readonly period: 'day' | 'month';
  /** The column by which rows are assigned to partitions. Those that have none stay in the default partition. */
  readonly key: string;
  /** SQL for the lowest key of a moment. */
  readonly keyAt: (moment: string) => string;
  /** The column that says since when a row has been kept, and for how many days it is. */
  readonly since: string;
  readonly days: number;
  /** How many rows may be moved out of the default partition at once, while nobody else can write. */
  readonly mostMoved: number;
}

const itself = (moment: string) => moment;

/** The first 48 bits of an id of version 7 are milliseconds since 1970. */
export const lowestId = (moment: string) =>
  `(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/**
 * The outbox by the day on which an event was published. Unpublished ones are in the default partition, which is small and all
 * that a relay reads. They are kept a day longer than their stream keeps them, so that a broker that lost its data gets all of
 * them again.
 *
 * The inbox by the day of the event, which is part of its id: the event finds its row however often and late it is delivered.
 * Rows are kept twice as long as a stream keeps a message, after which it can no longer be redelivered.
 */
export const partitionedTables = (auditDays: number): readonly PartitionedTable[] => [
  {
    name: 'outbox',
    period: 'day',
    key: 'published_at',
    keyAt: itself,
    since: 'published_at',
    days: streamDays + 1,
    mostMoved: 5_000,
  },
  {
    name: 'inbox',
    period: 'day',
    key: 'event_id',
    keyAt: lowestId,
    since: 'received_at',
    days: 2 * streamDays,
    mostMoved: 5_000,
  },
  {
    name: 'audit_events',
    period: 'month',
    key: 'created_at',
    keyAt: itself,
    since: 'created_at',
    days: auditDays,
    mostMoved: 1_000_000,
  },
];
