import { choice, internal } from '@crm/contract';
import { z } from 'zod';

/** E-mails about accounts. Another service receives the reports about all e-mails and forwards those about these. */
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
