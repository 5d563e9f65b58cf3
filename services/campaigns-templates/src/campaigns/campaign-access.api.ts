import { choice, id, ids, internal, text } from '@crm/contract';
import { z } from 'zod';

/** For other services, many campaigns at once. Hidden and missing campaigns are left out. */
export const campaignAccessApi = {
  access: internal({
    kind: 'query',
    for: 'user',
    summary: 'Which of these campaigns the caller may use, and how',
    input: z.object({ ids }),
    output: z.array(z.object({ id, may: z.array(choice('see', 'change')) })),
  }),
  byIds: internal({
    kind: 'query',
    for: 'system',
    callers: ['operator'],
    summary: 'The names of campaigns by id',
    input: z.object({ ids }),
    output: z.array(z.object({ id, name: text(255) })),
  }),
};
