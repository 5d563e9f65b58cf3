import {
  emptyAsNull,
  find,
  flag,
  forbidden,
  id,
  instant,
  notFound,
  operation,
  pageOf,
  record,
  reference,
  search,
  text,
  timeZone,
} from '@crm/contract';
import { z } from 'zod';
import { ContactSourceView } from '../contact-sources/contact-source.api.ts';
import { CustomFieldOnContact, customFieldValue } from '../custom-fields/custom-field.api.ts';
import { HotnessView } from '../hotnesses/hotness.api.ts';
import { maxTagsLength } from '../tags/tag.api.ts';
import { AddressView, addressDraft, maxAddresses } from './address-view.api.ts';
import { refusingOptOuts } from './refusing-opt-outs.api.ts';

/** The fields of a contact that a client may write. None is required. */
const stored = z.object({
  assigned_user_id: reference.describe('The caller, a teammate, the broker or a sub-account of the caller'),
  first_name: text(255).nullable(),
  last_name: text(255).nullable(),
  email: text(255).nullable().describe('Filters ignore case'),
  mobile_phone: text(255).nullable(),
  home_phone: text(45).nullable(),
  office_phone: text(45).nullable(),
  fax: text(45).nullable(),
  company: text(45).nullable(),
  birthday: text(45).nullable().describe('YYYY-MM-DD, stored as sent'),
  anniversary: text(45).nullable().describe('Of the purchase or sale; YYYY-MM-DD, stored as sent'),
  spouse_name: text(45).nullable(),
  spouse_email: text(45).nullable(),
  spouse_phone: text(255).nullable(),
  spouse_birthday: text(255).nullable().describe('YYYY-MM-DD, stored as sent'),
  tags: text(maxTagsLength)
    .nullable()
    .describe('Tags separated by commas; new ones are added to the tags of the owner'),
  hotness_id: reference.describe('0 or null removes it'),
  source_id: reference.describe('0 or null removes it'),
  timezone: emptyAsNull(timeZone).describe(
    'The time zone in which the contact lives; it determines the hours in which the contact may be texted. If null, the phone number and addresses determine it',
  ),
  created_at: instant,
  modified_at: instant,
});

// A text of 508 characters may contain 254 tags, each of which may be renamed to one of 508 characters.
const grownTags = text(130_000).nullable();

export const ContactView = z.object({
  id,
  owner_user_id: id.describe('The user who added it'),
  ...stored.shape,
  last_activity_at: instant
    .nullable()
    .describe(
      'When its latest event happened or a campaign last sent it a message; null if neither ever happened',
    ),
  tags: grownTags.describe('Tags separated by commas; a filter for equality also matches any one of them'),
  addresses: z.array(AddressView),
  hotness: HotnessView.pick({ name: true, rank: true, color: true }).nullable(),
  custom_fields: z
    .array(CustomFieldOnContact)
    .describe('All custom fields that the caller sees, by rank, with a value or null'),
  source: ContactSourceView.pick({ id: true, name: true, user_id: true, created_at: true }).nullable(),
});

/** What a client may write to a contact. */
export const contactDraft = stored.partial().extend({
  addresses: z
    .array(
      addressDraft.extend({
        id: id.optional().describe('The address to change; without it, an address is added'),
      }),
    )
    .max(10_000, { error: 'must have at most 10000 addresses' })
    .refine((sent) => sent.filter(({ id }) => id === undefined).length <= maxAddresses, {
      error: `must have at most ${maxAddresses} new addresses`,
    })
    .optional(),
  custom_fields: z
    .array(customFieldValue)
    .max(10_000, { error: 'must have at most 10000 values' })
    .optional()
    .describe('Custom fields that are not listed keep their values'),
});

const contactChanges = {
  ...contactDraft.shape,
  tags: grownTags
    .optional()
    .describe(
      `Tags separated by commas, at most ${maxTagsLength} characters unless they are sent back unchanged`,
    ),
  modified_at: stored.shape.modified_at
    .optional()
    .describe(
      'The time of the change if it is missing, or is sent back unchanged although another field differs',
    ),
};

/** Conditions may name custom fields, in lists and on one contact. */
const filters = { parts: ['custom_fields'] } as const;

export const contactApi = {
  find: operation({
    rest: 'GET /contacts',
    summary: 'List contacts',
    input: find(ContactView, {
      ...filters,
      own: {
        $search: search
          .optional()
          .describe(
            'Words in names, e-mail addresses, phone numbers (in any notation), the company, addresses or tags. All words must match; the best matches come first unless $sort is given',
          ),
        has_email: flag.optional().describe('Whether it has an e-mail address'),
        has_phone: flag.optional().describe('Whether it has a mobile, home or office phone'),
      },
    }),
    output: pageOf(ContactView),
  }),
  get: operation({
    rest: 'GET /contacts/:id',
    summary: 'Read a contact',
    input: record(ContactView, { id }, filters),
    output: ContactView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /contacts',
    summary: 'Add a contact',
    input: refusingOptOuts(contactDraft),
    output: ContactView,
    refuses: [forbidden],
  }),
  patch: operation({
    rest: 'PATCH /contacts/:id',
    summary: 'Change a contact',
    input: refusingOptOuts(record(ContactView, { id, ...contactChanges }, filters)),
    output: ContactView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /contacts/:id',
    summary: 'Remove a contact and everything that belongs to it (owner only)',
    input: record(ContactView, { id }, filters),
    output: ContactView,
    refuses: [notFound, forbidden],
  }),
};
