import { web } from '@crm/contract';
import { z } from 'zod';

const plain = { 'text/plain': null } as const;

/** Where a mail server, or whoever reads the mailbox of the sender, posts the reports about e-mails that came back. */
export const bounceApi = {
  report: web({
    rest: 'POST /callbacks/bounces',
    kind: 'mutation',
    summary:
      'Receive a report about the delivery of an e-mail (RFC 3464); with `Authorization: Bearer` and the secret, or `Signature` and the HMAC-SHA256 of the body',
    audience: 'carriers',
    body: {
      'message/rfc822': z.string(),
      'multipart/report': z.string(),
      'message/delivery-status': z.string(),
    },
    answers: { 204: {}, 403: plain },
  }),
};
