import { flag } from '@crm/contract';

/** Whether to include contact events of contacts that only a team shares. */
export const teams = flag
  .optional()
  .describe(
    "Whether to include events of teammates' contacts that the caller sees only because a team shares them",
  );
