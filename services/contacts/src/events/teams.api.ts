import { flag } from '@crm/contract';

/** Whether to include contact events of other users. */
export const teams = flag
  .optional()
  .describe(
    'Whether to include events of all contacts that the caller sees, and not only of those the caller owns or is assigned',
  );
