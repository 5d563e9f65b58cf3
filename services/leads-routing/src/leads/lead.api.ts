import {
  anyId,
  choice,
  find,
  id,
  instant,
  notFound,
  operation,
  pageOf,
  record,
  reference,
  search,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { distributionTarget } from '../lead-routes/lead-route.api.ts';

const line = z.string().nullable();
const short = text(255).nullable();
const long = text(500_000).nullable();

/** Some sources send whole numbers, which are returned as sent. All other values are texts, as in other fields. */
const textOrNumber = z.preprocess(
  (sent) => (typeof sent === 'boolean' || isDecimal(sent) ? String(sent) : sent),
  z.union([text(255), z.int(), z.null()], {
    error: 'must be a string of at most 255 characters, or a whole number',
  }),
);

const isDecimal = (sent: unknown) => typeof sent === 'number' && !Number.isInteger(sent);

/** The fields that a client may write. */
export const leadFields = z.object({
  contact_id: anyId.describe(
    'The contact; any whole number is accepted, and one that cannot be the id of a contact becomes 0',
  ),
  source_id: reference.describe('A lead source'),
  claimed_via: choice('None', 'Email', 'Text', 'Phone', 'Assigned', 'Auto').describe(
    'With any value except `None`, the lead is claimed by its creator immediately',
  ),
  text_body: long,
  html_body: long,
  mls_id: textOrNumber.describe('A text or a number, returned as it was sent and compared as a text'),
  listing_status: short,
  listing_price: short,
  street_address: short,
  city: short,
  state: short,
  zipcode: textOrNumber.describe('A text or a number, returned as it was sent and compared as a text'),
  type: short.describe('Such as Buyer; a lead route can be limited to one type'),
});

/** Why a lead goes to its creator instead of following its route. */
export const fallbackReason = choice(
  'Route incomplete',
  'No team for zip code',
  'Nobody to offer it to',
  'Nobody claimed it',
);
export type FallbackReason = z.output<typeof fallbackReason>;

export const LeadView = z.object({
  id,
  ...leadFields.shape,
  distribution_target: distributionTarget,
  status: choice('Pending', 'Offered', 'Claimed'),
  claimed_by_user_id: id.nullable(),
  claimed_at: instant.nullable(),
  time_to_claim: z
    .string()
    .meta({ format: 'hours-minutes-seconds' })
    .nullable()
    .describe(
      'The time from the creation of the lead to its claim, HH:MM:SS, compared and sorted as a duration',
    ),
  address_1: short.describe('The same as street_address'),
  created_at: instant,
  assigned_to_user: z.object({ id, first_name: line, last_name: line, email: z.string() }).nullable(),
  created_by_user: z.object({ id, first_name: line, last_name: line }).nullable(),
  contact: z
    .object({
      id,
      first_name: line,
      last_name: line,
      email: line.describe('Null unless the caller may see the contact, like the phone numbers'),
      mobile_phone: line,
      home_phone: line,
      office_phone: line,
    })
    .nullable()
    .describe(
      'Null if it was removed, if the creator of the lead could not see it, or if the caller neither sees it nor is offered the lead by somebody who does',
    ),
  source: z.object({ id, name: z.string() }).nullable(),
});
export type LeadView = z.output<typeof LeadView>;

export const leadApi = {
  find: operation({
    rest: 'GET /leads',
    summary:
      "List the leads that the caller created, claimed, is assigned or is offered, and those of the caller's contacts",
    input: find(LeadView, {
      own: {
        $search: search
          .optional()
          .describe(
            'Words in the address of the property, its MLS number or status, the type or the name of the source. All words must match; the best matches come first unless $sort is given. To find names of contacts, use GET /contacts',
          ),
        assigned_user_id: reference
          .optional()
          .describe('The user whom the lead is assigned to, as in assigned_to_user; 0 for nobody'),
      },
    }),
    output: pageOf(LeadView),
  }),
  get: operation({
    rest: 'GET /leads/:id',
    summary: 'Read a lead',
    input: record(LeadView, { id }),
    output: LeadView,
    refuses: [notFound],
  }),
};
