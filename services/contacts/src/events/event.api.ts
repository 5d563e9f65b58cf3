import {
  choice,
  find,
  forbidden,
  id,
  ids,
  instant,
  integer,
  internal,
  notFound,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { EventPropertyView } from './event-property-view.api.ts';
import { teams } from './teams.api.ts';

/** The fields of a contact event that a client may write. */
const stored = z.object({
  contact_id: id,
  type: text(45)
    .min(1, { error: 'must not be empty' })
    .describe('What happened, such as property_viewed; any text')
    .meta({ examples: ['property_viewed'] }),
  description: text(2000).nullable(),
  site_domain: text(100).nullable(),
  created_at: instant,
  modified_at: instant,
});

/** A property as its contact event shows it, where square_feet is called sqft. */
export const PropertyOfEvent = EventPropertyView.omit({ square_feet: true }).extend({
  sqft: EventPropertyView.shape.square_feet,
});

export const EventView = z.object({
  id,
  user_id: id.describe('The user who recorded it'),
  source: choice('web', 'disposition', 'api'),
  dialer_session_id: integer.nullable(),
  ...stored.shape,
  property: PropertyOfEvent.nullable().describe('The most recently added property'),
});

const draft = stored.partial().extend({ contact_id: stored.shape.contact_id, type: stored.shape.type });

export const eventApi = {
  find: operation({
    rest: 'GET /events',
    summary: 'List events (activity of contacts)',
    input: find(EventView, { own: { teams } }),
    output: pageOf(EventView),
  }),
  get: operation({
    rest: 'GET /events/:id',
    summary: 'Read an event',
    input: record(EventView, { id, teams }),
    output: EventView,
    query: ['teams'],
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /events',
    summary: 'Record an event of a contact',
    input: draft,
    output: EventView,
  }),
  recordText: internal({
    kind: 'mutation',
    for: 'system',
    callers: ['scheduling'],
    summary: 'Record an incoming text as an event of contacts, once; removed contacts are left out',
    input: z.object({
      text_id: z.string().min(1).max(64).describe("The provider's id of the text"),
      contact_ids: ids,
      description: text(2000),
      at: instant.describe('When it was received'),
    }),
    output: z.array(z.object({ contact_id: id, owner_user_id: id, assigned_user_id: id.nullable() })),
  }),
  patch: operation({
    rest: 'PATCH /events/:id',
    summary: 'Change the description of an event (owner of the contact only)',
    input: record(EventView, { id, description: draft.shape.description }),
    output: EventView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /events/:id',
    summary: 'Remove an event and its properties (owner of the contact only)',
    input: record(EventView, { id }),
    output: EventView,
    refuses: [notFound, forbidden],
  }),
};
