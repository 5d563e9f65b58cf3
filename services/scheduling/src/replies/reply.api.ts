import { forOperator, id, instant, internal } from '@crm/contract';
import { z } from 'zod';

/** Incoming texts from contacts. */
export const replyApi = {
  take: internal({
    ...forOperator,
    kind: 'mutation',
    summary:
      'Stop the texts that are not sent once their contact has replied; a repeated request changes nothing',
    input: z.object({
      id: z.string().min(1).max(64).describe("The provider's id of the incoming text"),
      number: z.string().regex(/^\+[1-9]\d{6,14}$/, { error: 'must be a phone number in E.164' }),
      at: instant.describe('When it was received'),
    }),
    output: z.object({ stopped: z.array(id) }),
  }),
};
