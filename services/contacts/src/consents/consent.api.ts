import {
  choice,
  id,
  ids,
  instant,
  internal,
  notFound,
  operation,
  refusal,
  refusing,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { optOutSource } from '../contacts/opt-out-source.api.ts';
import { number } from '../opt-outs/opt-out.api.ts';

const state = choice('Allowed', 'Opted Out');
/** Messages of a kind that a contact may opt out of. */
export const channel = choice('Text', 'Email');
/** The numbers and addresses that a file has for somebody. */
export const destinations = z.object({
  numbers: z.array(number).max(10_000),
  emails: z.array(text(255)).max(10_000),
});
const changed_at = instant.nullable();

export const ConsentView = z.object({
  contact_id: id,
  text_state: state.describe('Whether campaigns may text the mobile phone number'),
  text_source: optOutSource,
  text_changed_at: changed_at,
  text_paused_at: instant
    .nullable()
    .describe(
      'Since when texts have been paused until an agent decides, because the contact asked in their own words to be left alone; null if they are not paused',
    ),
  email_state: state.describe('Whether campaigns may send e-mails to the address'),
  email_source: optOutSource,
  email_changed_at: changed_at,
});

export const objection = refusal(
  'Conflict',
  'The contact opted out. Only the contact can allow messages again.',
  {
    reason: 'contact_opted_out',
    when: 'An agent tries to allow messages to a contact who has opted out themselves, for example by texting STOP.',
    fix: 'Ask the contact to text START, or to use the link in an e-mail.',
    example: 'PATCH /contacts/4001/consent\n\n{ "text_state": "Allowed" }',
    given: 'the contact has texted STOP',
  },
);

export const consentApi = {
  get: operation({
    rest: 'GET /contacts/:id/consent',
    summary: 'Read whether a contact may be sent texts and e-mails, and who decided this and when',
    input: z.object({ id }),
    output: ConsentView,
    refuses: [notFound],
  }),
  patch: operation({
    rest: 'PATCH /contacts/:id/consent',
    summary:
      'Opt a contact out of texts or e-mails on its behalf, or undo that, for all contacts of its owner with the same number or address',
    input: refusing(z.object({ id, text_state: state.optional(), email_state: state.optional() }), (name) =>
      Object.hasOwn(ConsentView.shape, name)
        ? undefined
        : 'is not a field of a consent: send text_state or email_state as "Opted Out" or "Allowed"',
    ),
    output: ConsentView,
    refuses: [notFound, objection],
  }),
  optOut: internal({
    kind: 'mutation',
    for: 'user',
    summary:
      'Opt a contact out on its behalf, with the numbers and addresses that a file has for it, for all contacts of the caller that have them now or later',
    input: z.object({
      id,
      channels: z.array(channel).min(1).max(channel.options.length),
      mobile_phone: text(255).nullable().optional(),
      email: text(255).nullable().optional(),
      destinations: destinations.optional(),
      destinations_only: z
        .boolean()
        .optional()
        .describe('Whether the contact itself is not opted out, because the file may be about somebody else'),
    }),
    output: z.object({}),
    refuses: [notFound],
  }),
  optedOut: internal({
    kind: 'query',
    for: 'user',
    summary:
      'Which of the contacts get no texts or no e-mails, for any reason, or have their texts paused; contacts that the caller cannot see are left out',
    input: z.object({ contact_ids: ids }),
    output: z.array(z.object({ contact_id: id, opted_out: z.array(channel) })),
  }),
};
