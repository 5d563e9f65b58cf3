import { choice, internal, web } from '@crm/contract';
import { z } from 'zod';
import { deliveryStates } from '../communications/communication.api.ts';

const plain = { 'text/plain': null } as const;

const UnmatchedBounce = z.object({
  key: z.uuid(),
  state: choice(...deliveryStates),
  reason: z.string().nullable(),
  is_unreachable: z.boolean().describe('Whether the address is permanently unreachable'),
  reported_at: z.string().describe('When it arrived'),
});

/** Where a mail server, or a reader of the sender's mailbox, posts reports about bounced e-mails. */
export const bounceApi = {
  report: web({
    rest: 'POST /callbacks/bounces',
    kind: 'mutation',
    summary:
      'Receive a delivery report about an e-mail (RFC 3464), or a report that it is spam (RFC 5965); with `Authorization: Bearer` and the secret, or `Signature` and the HMAC-SHA256 of the body',
    audience: 'carriers',
    isMail: true,
    body: {
      'message/rfc822': z.string(),
      'multipart/report': z.string(),
      'message/delivery-status': z.string(),
    },
    answers: { 204: {}, 403: plain },
  }),
  unmatched: internal({
    kind: 'query',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'Reports about e-mails of other services, oldest first',
    input: z.object({ skip: z.int().min(0).default(0) }),
    output: z.array(UnmatchedBounce),
  }),
  settle: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['leads-routing'],
    summary: 'Delete reports that the caller has read; it has stored those about its e-mails',
    input: z.object({ reports: z.array(UnmatchedBounce.pick({ key: true, reported_at: true })).max(100) }),
    output: z.object({}),
  }),
};
