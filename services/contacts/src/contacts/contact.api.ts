import {
  find,
  forbidden,
  id,
  instant,
  notFound,
  operation,
  pageOf,
  record,
  reference,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { AddressView, addressDraft } from '../addresses/address.api.ts';
import { ContactSourceView } from '../contact-sources/contact-source.api.ts';
import { CustomFieldOnContact, customFieldValue } from '../custom-fields/custom-field.api.ts';
import { HotnessView } from '../hotnesses/hotness.api.ts';

/** What a client may write of a contact. Nothing of it is required. */
const stored = z.object({
  assigned_user_id: reference.describe(
    'Must belong to one of the caller’s teams, or be the caller, the broker or a sub-account',
  ),
  first_name: text(255).nullable(),
  last_name: text(255).nullable(),
  email: text(255).nullable().describe('Compared without regard to case'),
  mobile_phone: text(255).nullable(),
  home_phone: text(45).nullable(),
  office_phone: text(45).nullable(),
  fax: text(45).nullable(),
  company: text(45).nullable(),
  birthday: text(45).nullable().describe('YYYY-MM-DD, kept as sent'),
  anniversary: text(45).nullable().describe('Of the purchase or the sale; YYYY-MM-DD, kept as sent'),
  spouse_name: text(45).nullable(),
  spouse_email: text(45).nullable(),
  spouse_phone: text(255).nullable(),
  spouse_birthday: text(255).nullable().describe('YYYY-MM-DD, kept as sent'),
  tags: text(508)
    .nullable()
    .describe('Tags joined by commas; those that are missing are added for the owner'),
  hotness_id: reference.describe('0 or null removes it'),
  source_id: reference.describe('0 or null removes it'),
  created_at: instant,
  modified_at: instant,
});

export const ContactView = z.object({
  id,
  owner_user_id: id.describe('Who added it'),
  ...stored.shape,
  // Of 508 characters 254 may be tags, and each of them may be renamed to one of 508.
  tags: text(130_000)
    .nullable()
    .describe('Tags joined by commas; equality also finds a contact by any one of them'),
  addresses: z.array(AddressView),
  hotness: HotnessView.pick({ name: true, rank: true, color: true }).nullable(),
  custom_fields: z
    .array(CustomFieldOnContact)
    .describe('Every custom field that the reader sees, by rank, with a value or null'),
  source: ContactSourceView.pick({ id: true, name: true, user_id: true, created_at: true }).nullable(),
});

const draft = stored.partial().extend({
  addresses: z
    .array(
      addressDraft.extend({ id: id.optional().describe('Of an address to change; without it one is added') }),
    )
    .max(50, { error: 'must have at most 50 addresses' })
    .optional(),
  custom_fields: z
    .array(customFieldValue)
    .max(500, { error: 'must have at most 500 values' })
    .optional()
    .describe('Custom fields that are not named keep their values'),
});

export const contactApi = {
  find: operation({
    rest: 'GET /contacts',
    summary: 'List contacts',
    input: find(ContactView),
    output: pageOf(ContactView),
  }),
  get: operation({
    rest: 'GET /contacts/:id',
    summary: 'Read a contact',
    input: record(ContactView, { id }),
    output: ContactView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /contacts',
    summary: 'Add a contact',
    input: draft,
    output: ContactView,
    refuses: [forbidden],
  }),
  patch: operation({
    rest: 'PATCH /contacts/:id',
    summary: 'Change a contact',
    input: record(ContactView, { id, ...draft.shape }),
    output: ContactView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /contacts/:id',
    summary: 'Remove a contact and all that hangs on it; only its owner may',
    input: record(ContactView, { id }),
    output: ContactView,
    refuses: [notFound, forbidden],
  }),
};
