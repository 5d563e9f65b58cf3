import {
  find,
  forbidden,
  id,
  instant,
  integer,
  notFound,
  number,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { teams } from '../events/teams.api.ts';

const amount = number.describe('With or without decimals').nullable();
const degrees = number.describe('In degrees').nullable();

/** What a client may write of a property. Nothing of it is required. */
const stored = z.object({
  mls: text(255).nullable(),
  url: text(200).nullable(),
  address: text(200).nullable().describe('Street and number'),
  city: text(200).nullable(),
  state: text(200).nullable(),
  zip: text(200).nullable(),
  beds: integer.nullable(),
  full_baths: integer.nullable(),
  half_baths: integer.nullable(),
  type: text(45).nullable().describe('For people, such as Single Family Home'),
  square_feet: text(45).nullable().describe('In any form'),
  listing_price: amount,
  listing_status: text(45).nullable().describe('In any form, such as For Sale'),
  listing_days_on_market: integer.nullable(),
  estimated_value: amount,
  last_sold_at: instant.nullable(),
  last_sold_price: amount,
  latitude: degrees,
  longitude: degrees,
  images: text(255).nullable().describe('Addresses of pictures, joined by commas'),
  year_built: integer.nullable(),
  listed_at: instant.nullable(),
});

export const EventPropertyView = z.object({
  id,
  api_event_id: id.describe('The event it belongs to'),
  contact_id: id.describe('The contact of the event'),
  ...stored.shape,
});

const draft = stored.partial().extend({
  sqft: stored.shape.square_feet.optional().describe('Another name of square_feet, which goes first'),
});

const event_id = id;

export const eventPropertyApi = {
  find: operation({
    rest: 'GET /events/:event_id/properties',
    summary: 'List the properties that an event is about',
    input: find(EventPropertyView, { own: { event_id, teams } }),
    output: pageOf(EventPropertyView),
    refuses: [notFound],
  }),
  get: operation({
    rest: 'GET /events/:event_id/properties/:id',
    summary: 'Read a property of an event',
    input: record(EventPropertyView, { event_id, id, teams }),
    output: EventPropertyView,
    query: ['teams'],
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /events/:event_id/properties',
    summary: 'Add a property to an event whose source is api',
    input: draft.extend({ event_id }),
    output: EventPropertyView,
    refuses: [notFound],
  }),
  patch: operation({
    rest: 'PATCH /events/:event_id/properties/:id',
    summary: 'Change a property of an event; only the owner of the contact may',
    input: record(EventPropertyView, { event_id, id, ...draft.shape }),
    output: EventPropertyView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /events/:event_id/properties/:id',
    summary: 'Remove a property from an event; only the owner of the contact may',
    input: record(EventPropertyView, { event_id, id }),
    output: EventPropertyView,
    refuses: [notFound, forbidden],
  }),
};
