import { choice, instant, internal, text } from '@crm/contract';
import { z } from 'zod';

/** Addresses and numbers at which alerts do not reach users, as reported by mail servers and carriers. */
export const unreachableAddressApi = {
  note: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['scheduling', 'leads-routing'],
    summary: 'Record that an e-mail address of a user, or a phone number for texts, is unreachable',
    input: z.object({
      address: text(320).min(3).describe('An e-mail address in any case, or a number in E.164'),
      why: choice('unreachable', 'opted out'),
      at: instant,
    }),
    output: z.object({}),
  }),
};
