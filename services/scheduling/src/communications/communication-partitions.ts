import type { PartitionedById } from '@crm/messaging';

/**
 * Rows that wait, are being sent, or may still be resolved by the provider are kept. An outcome that nobody can find out any
 * longer does not become known later.
 */
export const communicationPartitions: PartitionedById = {
  name: 'communications',
  ids: 20_000_000,
  since: 'greatest(modified_at, send_at)',
  open: [
    "dispatch_state = 'Scheduled'",
    "dispatch_state = 'Sending'",
    "dispatch_state = 'Unknown' and next_attempt_at < now() + interval '1 year'",
  ],
};
