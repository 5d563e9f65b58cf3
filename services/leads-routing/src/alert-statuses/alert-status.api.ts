import { web } from '@crm/contract';
import { z } from 'zod';

/** Callbacks of the provider of texts and calls, signed with the secret of the account. */
export const alertStatusApi = {
  report: web({
    rest: 'POST /callbacks/alert-statuses/:key',
    kind: 'mutation',
    summary: 'Receive the status of a text or call about a lead',
    audience: 'carriers',
    body: {
      'application/x-www-form-urlencoded': z.object({ MessageSid: z.string(), MessageStatus: z.string() }),
    },
    answers: { 204: {}, 403: { 'text/plain': null } },
  }),
};
