import type { PartitionedById } from '@crm/messaging';

/** Twenty million events have 4.7 GB of indexes, so that those that are written to fit into the memory of a small server. */
export const eventPartitions: PartitionedById = {
  name: 'events',
  ids: 20_000_000,
  since: 'greatest(created_at, modified_at)',
  parts: { name: 'event_properties', of: 'api_event_id' },
};
