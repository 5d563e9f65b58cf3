import { choice, internal } from '@crm/contract';
import { z } from 'zod';

/** The e-mails about accounts, whose reports come to the service that receives those about all e-mails. */
export const accountMailApi = {
  report: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'Record what mail servers reported about e-mails that concern an account',
    input: z.object({
      reports: z
        .array(
          z.object({
            key: z.uuid(),
            state: choice('Queued', 'Sent', 'Delivered', 'Undelivered', 'Failed'),
            reason: z.string().nullable(),
            is_unreachable: z.boolean().describe('Whether the address is permanently unreachable'),
          }),
        )
        .max(100),
    }),
    output: z.object({}),
  }),
};
