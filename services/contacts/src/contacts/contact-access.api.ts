import { choice, id, ids, internal, text } from '@crm/contract';
import { identityApi } from '@crm/identity/api';
import { z } from 'zod';
import { optOutSource } from './opt-out-source.api.ts';

const line = text(255).nullable();
const source = optOutSource.describe('Who opted the contact out; null if it may be sent such messages');

/** What other services ask about many contacts at once. Missing and hidden contacts are left out. */
export const contactAccessApi = {
  access: internal({
    kind: 'query',
    for: 'user',
    summary: 'Which of these contacts the caller can see, and what the caller may do with them',
    input: z.object({ ids }),
    output: z.array(
      z.object({ id, owner_user_id: id, may: z.array(choice('see', 'change', 'assign', 'remove')) }),
    ),
  }),
  seenBy: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling', 'leads-routing'],
    summary: 'Which of these contacts each user can see now, for work done later on their behalf',
    input: z.object({
      viewers: z
        .array(z.object({ user: identityApi.actors.ofUsers.output.element, contact_ids: ids }))
        .max(1000),
    }),
    output: z.array(z.object({ user_id: id, contact_ids: z.array(id) })),
  }),
  byIds: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling', 'leads-routing'],
    summary: 'Names and e-mail addresses to show with ids',
    input: z.object({ ids }),
    output: z.array(z.object({ id, first_name: line, last_name: line, email: line })),
  }),
  withMobilePhone: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling'],
    summary: 'Contacts whose mobile phone has this number, in E.164',
    input: z.object({ number: text(20) }),
    output: z.array(id),
  }),
  withMobilePhones: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling'],
    summary:
      'Contacts that a user sees now whose mobile phones have these numbers, in E.164; for instances of the previous release',
    input: z.object({
      user: identityApi.actors.ofUsers.output.element,
      numbers: z.array(text(20)).max(1000),
    }),
    output: z.array(z.object({ id, first_name: line, last_name: line, mobile_phone_e164: text(20) })),
  }),
  withPausedTexts: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling'],
    summary: 'Contacts that a user sees now whose texts wait for a decision, the longest-waiting first',
    input: z.object({
      user: identityApi.actors.ofUsers.output.element,
      limit: z.int().min(1).max(1000),
    }),
    output: z.array(z.object({ id, first_name: line, last_name: line, mobile_phone_e164: text(20) })),
  }),
  exportForDispatch: internal({
    kind: 'query',
    for: 'system',
    callers: ['scheduling', 'campaigns-templates', 'leads-routing'],
    summary: 'The addresses of these contacts, and the fields that messages to them may contain',
    input: z.object({ ids }),
    output: z.array(
      z.object({
        id,
        owner_user_id: id,
        assigned_user_id: id.nullable(),
        first_name: line,
        last_name: line,
        email: line,
        company: line,
        birthday: line,
        anniversary: line,
        spouse_name: line,
        mobile_phone: line,
        home_phone: line,
        office_phone: line,
        mobile_phone_e164: line,
        home_phone_e164: line,
        office_phone_e164: line,
        text_opt_out: source,
        email_opt_out: source,
        timezone: line,
        addresses: z.array(z.object({ state: text(200).nullable(), zip: text(45).nullable() })),
      }),
    ),
  }),
};
