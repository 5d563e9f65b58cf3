import { web } from '@crm/contract';
import { z } from 'zod';

/** Status reports of the provider of texts and calls, signed with the secret of the account. */
export const statusApi = {
  report: web({
    rest: 'POST /callbacks/statuses/:key',
    kind: 'mutation',
    summary: 'Receive the status of a text or call of a campaign or about a task',
    audience: 'carriers',
    body: {
      'application/x-www-form-urlencoded': z.object({ MessageSid: z.string(), MessageStatus: z.string() }),
    },
    answers: { 204: {}, 403: { 'text/plain': null } },
  }),
};
