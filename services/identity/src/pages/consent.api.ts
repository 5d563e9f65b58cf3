import { page, web } from '@crm/contract';
import { z } from 'zod';

const AuthorizationQuery = z.object({
  response_type: z.enum(['code', 'token']).describe('code; token only for applications that may use it'),
  client_id: z.string().describe('The id of the application'),
  redirect_uri: z.string().describe('One of the addresses that were registered for the application'),
  scope: z.string().optional().describe('read or write, or both separated by a space'),
  state: z.string().optional().describe('Any text; it is returned with the response'),
  code_challenge: z.string().optional().describe('The hash of a secret (RFC 7636)'),
  code_challenge_method: z.literal('S256').optional().describe('The method of the hash'),
});

export const consentApi = {
  show: web({
    rest: 'GET /oauth2/authorize',
    kind: 'mutation',
    summary: 'Ask the user to approve an application',
    details:
      'Send the browser of the user here. Once the user has decided, the browser is redirected to `redirect_uri` with a code or an error, and with `state`.',
    errors: 'page',
    query: AuthorizationQuery,
    answers: { 200: { 'text/html': null }, 303: {}, 400: { 'text/html': null } },
  }),
  decide: page({
    rest: 'POST /oauth2/authorize',
    kind: 'mutation',
    summary: 'Approve or deny an application',
  }),
};
