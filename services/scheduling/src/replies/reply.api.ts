import { id, instant, internal } from '@crm/contract';
import { z } from 'zod';

/** Texts that came in from contacts. */
export const replyApi = {
  take: internal({
    kind: 'mutation',
    for: 'system',
    summary:
      'Stop the texts that are not sent any more once their contact has replied; said twice, it is done once',
    input: z.object({
      id: z.string().min(1).max(64).describe('By which the provider knows the text that came in'),
      number: z.string().regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a phone number in E.164' }),
      at: instant.describe('When it came in'),
    }),
    output: z.object({ stopped: z.array(id) }),
  }),
};
