import { forbidden, id, internal, text } from '@crm/contract';
import { z } from 'zod';
import { channel, destinations } from '../consents/consent.api.ts';
import { contactApi } from '../contacts/contact.api.ts';

const key = text(100);

const importedRow = z.object({
  key: key.describe('Identifies a row of a file'),
  contact: contactApi.create.input,
  shared_with: z.array(id).max(500).describe('The users whom the contact is shared with'),
  opt_outs: z
    .array(channel)
    .max(channel.options.length)
    .optional()
    .describe('The messages that the contact has opted out of, according to its agent'),
  destinations: destinations
    .optional()
    .describe('Numbers and addresses that get none of these messages either, whichever contacts have them'),
});

const outcome = z.object({
  id: id.nullable().describe('The contact, or null if the row is invalid'),
  is_new: z.boolean().describe('false if an earlier request with this key added it'),
  errors: z.record(z.string(), z.string()).describe('A message for each invalid field'),
});

/** As many as an import writes in one transaction. */
const mostRows = 1_000;

const values = z.array(text(255)).max(mostRows);

export const importedRowApi = {
  matches: internal({
    kind: 'query',
    for: 'user',
    summary: 'Contacts of the caller with one of these e-mail addresses or mobile phones, in any notation',
    input: z.object({ emails: values, phones: values }),
    output: z.array(
      z.object({
        id,
        email: text(255).nullable(),
        mobile_phone: text(255).nullable(),
        first_name: text(255).nullable(),
        last_name: text(255).nullable(),
      }),
    ),
  }),
  known: internal({
    kind: 'query',
    for: 'user',
    summary: 'Contacts that earlier imports of the caller added from rows with these keys',
    input: z.object({ keys: z.array(key).max(mostRows) }),
    output: z.array(z.object({ key, contact_id: id })),
  }),
  add: internal({
    kind: 'mutation',
    for: 'user',
    summary: 'Add the contacts of rows of a file; each key adds one contact, and invalid rows are left out',
    input: z.object({ rows: z.array(importedRow).max(mostRows) }),
    output: z.array(outcome),
    refuses: [forbidden],
  }),
};
