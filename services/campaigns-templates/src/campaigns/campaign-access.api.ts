import { choice, id, internal, text } from '@crm/contract';
import { z } from 'zod';

const ids = z.array(id).max(1000, { error: 'must have at most 1000 ids' });

/** What other services ask about campaigns, many at once. Campaigns that are not there, or hidden, are left out. */
export const campaignAccessApi = {
  access: internal({
    kind: 'query',
    for: 'user',
    summary: 'Tell which of these campaigns the caller may use, and for what',
    input: z.object({ ids }),
    output: z.array(z.object({ id, may: z.array(choice('see', 'change')) })),
  }),
  byIds: internal({
    kind: 'query',
    for: 'system',
    summary: 'Names to show beside ids',
    input: z.object({ ids }),
    output: z.array(z.object({ id, name: text(255) })),
  }),
};
