import { choice, forOperator, id, ids, internal, text } from '@crm/contract';
import { identityApi } from '@crm/identity/api';
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
  seenBy: internal({
    kind: 'query',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'Which of these campaigns each user may use now',
    input: z.object({
      viewers: z
        .array(z.object({ user: identityApi.actors.ofUsers.output.element, campaign_ids: ids }))
        .max(1000),
    }),
    output: z.array(z.object({ user_id: id, campaign_ids: z.array(id) })),
  }),
  byIds: internal({
    ...forOperator,
    kind: 'query',
    summary: 'The names of campaigns by id',
    input: z.object({ ids }),
    output: z.array(z.object({ id, name: text(255) })),
  }),
};
