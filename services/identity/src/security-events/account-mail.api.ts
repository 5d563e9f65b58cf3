import { choice, internal } from '@crm/contract';
import { z } from 'zod';

/** The e-mails about accounts, whose reports come to the service that receives those about all e-mails. */
export const accountMailApi = {
  report: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'Note what mail servers have reported about e-mails, if they are about an account',
    input: z.object({
      reports: z
        .array(
          z.object({
            key: z.uuid(),
            state: choice('Queued', 'Sent', 'Delivered', 'Undelivered', 'Failed'),
            reason: z.string().nullable(),
            is_unreachable: z.boolean().describe('Whether nothing will ever arrive at the address'),
          }),
        )
        .max(100),
    }),
    output: z.object({}),
  }),
};
