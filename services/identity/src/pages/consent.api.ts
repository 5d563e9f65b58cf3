import { page, web } from '@crm/contract';
import { z } from 'zod';

const AuthorizationQuery = z.object({
  response_type: z.enum(['code', 'token']),
  client_id: z.string(),
  redirect_uri: z.string(),
  scope: z.string().optional().describe('read or write, or both separated by a space'),
  state: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.literal('S256').optional(),
});

export const consentApi = {
  show: web({
    rest: 'GET /oauth2/authorize',
    kind: 'mutation',
    summary: 'Ask the user to approve an application',
    query: AuthorizationQuery,
    answers: { 200: { 'text/html': null }, 303: {}, 400: { 'text/html': null } },
  }),
  decide: page({
    rest: 'POST /oauth2/authorize',
    kind: 'mutation',
    summary: 'Approve or deny an application',
  }),
};
