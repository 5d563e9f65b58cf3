import type { PartitionedById } from '@crm/messaging';

/** With twice as many, the indexes that are written to would not fit into the memory of a small server. */
export const eventPartitions: PartitionedById = {
  name: 'events',
  ids: 20_000_000,
  since: 'greatest(created_at, modified_at)',
  parts: { name: 'event_properties', of: 'api_event_id' },
};
