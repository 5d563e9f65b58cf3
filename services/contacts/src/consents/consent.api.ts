import { choice, id, instant, notFound, operation, refusal } from '@crm/contract';
import { z } from 'zod';

const state = choice('Allowed', 'Opted Out');
const source = choice('Reply', 'List-Unsubscribe', 'Bounce', 'Agent')
  .nullable()
  .describe(
    'Reply: the contact texted STOP or START. List-Unsubscribe: the contact used the link of an e-mail. Bounce: the mail server refused the address for good. Agent: it was set with PATCH. null if nobody has said anything',
  );
const changed_at = instant.nullable();

export const ConsentView = z.object({
  contact_id: id,
  text_state: state.describe('Whether campaigns may text the mobile phone number'),
  text_source: source,
  text_changed_at: changed_at,
  email_state: state.describe('Whether campaigns may send e-mails to the address'),
  email_source: source,
  email_changed_at: changed_at,
});

export const objection = refusal(
  'Conflict',
  'The contact has opted out personally. Only the contact can allow messages again.',
);

export const consentApi = {
  get: operation({
    rest: 'GET /contacts/:id/consent',
    summary: 'Read whether a contact may be sent texts and e-mails, and who has said so when',
    input: z.object({ id }),
    output: ConsentView,
    refuses: [notFound],
  }),
  patch: operation({
    rest: 'PATCH /contacts/:id/consent',
    summary: 'Opt a contact out of texts or e-mails on its behalf, or take that back',
    input: z.object({ id, text_state: state.optional(), email_state: state.optional() }),
    output: ConsentView,
    refuses: [notFound, objection],
  }),
};
