import { flag } from '@crm/contract';

/** Whose events a reader asks for. */
export const teams = flag
  .optional()
  .describe(
    'Without it, events of contacts that the caller owns or is assigned; with it, of all that the caller sees',
  );
