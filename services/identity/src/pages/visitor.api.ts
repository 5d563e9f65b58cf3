import { id, internal, text, WebAnswer, WebRequest } from '@crm/contract';
import { z } from 'zod';

/** The visitor of an account page that another service serves. */
export const visitorApi = {
  read: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['contacts', 'scheduling'],
    summary: 'The user who is signed in, or the redirect to the sign-in page',
    input: z.object({ request: WebRequest, path: text(200) }),
    output: z.union([
      z.object({ sign_in: WebAnswer }),
      z.object({
        user_id: id,
        timezone: z.string(),
        form_token: z.string().describe('For forms of the page that are posted to its path'),
        is_own_form: z.boolean().describe('Whether the request is such a form, of this session'),
      }),
    ]),
  }),
};
