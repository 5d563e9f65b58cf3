import {
  choice,
  find,
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
import { distributionTarget } from '../lead-routes/lead-route.api.ts';

const line = z.string().nullable();
const short = text(255).nullable();
const long = text(100_000).nullable();

/** Some sources number with digits alone. It comes back as it was sent. */
const textOrNumber = z.union([text(255), z.int(), z.null()], {
  error: 'must be a string of at most 255 characters, or a whole number',
});

/** Beyond these a number is not the one that was sent. */
const isPrice = (value: unknown) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** What a client may write of a lead. */
const stored = z.object({
  contact_id: id,
  source_id: reference.describe('A lead source'),
  claimed_via: choice('None', 'Email', 'Text', 'Phone', 'Assigned', 'Auto').describe(
    'With any other than `None` the lead is claimed by its creator at once',
  ),
  text_body: long,
  html_body: long,
  mls_id: textOrNumber.describe('As it was sent, a text or a number; compared as a text'),
  listing_status: short,
  listing_price: z
    .preprocess((value) => (isPrice(value) ? String(value) : value), text(255).nullable())
    .describe('A text; a number is made one'),
  street_address: short,
  city: short,
  state: short,
  zipcode: textOrNumber.describe('As it was sent, a text or a number; compared as a text'),
  type: short.describe('Such as Buyer; a lead route may be for one type alone'),
});

export const LeadView = z.object({
  id,
  ...stored.shape,
  distribution_target: distributionTarget,
  status: choice('Pending', 'Offered', 'Claimed'),
  claimed_by_user_id: id.nullable(),
  claimed_at: instant.nullable(),
  time_to_claim: z
    .string()
    .nullable()
    .describe('Hours, minutes and seconds from the lead to its claim, HH:MM:SS'),
  address_1: short.describe('The same as street_address'),
  created_at: instant,
  assigned_to_user: z.object({ id, first_name: line, last_name: line, email: z.string() }).nullable(),
  created_by_user: z.object({ id, first_name: line, last_name: line }).nullable(),
  contact: z
    .object({ id, first_name: line, last_name: line, email: line })
    .nullable()
    .describe('Null when it is gone, or when the creator of the lead did not see it'),
  source: z.object({ id, name: z.string() }).nullable(),
});

export const leadApi = {
  find: operation({
    rest: 'GET /leads',
    summary: 'List leads: those one has brought, has, has claimed or is offered, and those of one’s contacts',
    input: find(LeadView),
    output: pageOf(LeadView),
  }),
  get: operation({
    rest: 'GET /leads/:id',
    summary: 'Read a lead',
    input: record(LeadView, { id }),
    output: LeadView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /leads',
    summary: 'Bring a lead, which is routed by the lead routes of its creator',
    input: stored.partial().extend(stored.pick({ contact_id: true }).shape),
    output: LeadView,
  }),
};
