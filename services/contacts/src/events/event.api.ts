import {
  choice,
  find,
  forbidden,
  id,
  instant,
  integer,
  notFound,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { EventPropertyView } from '../event-properties/event-property.api.ts';
import { teams } from './teams.api.ts';

/** What a client may write when it reports an event. */
const stored = z.object({
  contact_id: id,
  type: text(45)
    .min(1, { error: 'must not be empty' })
    .describe('What happened, such as property_viewed; any word'),
  description: text(2000).nullable(),
  site_domain: text(100).nullable(),
  created_at: instant,
  modified_at: instant,
});

/** A property as its event shows it, where the floor space has another name. */
export const PropertyOfEvent = EventPropertyView.omit({ square_feet: true }).extend({
  sqft: EventPropertyView.shape.square_feet,
});

export const EventView = z.object({
  id,
  user_id: id.describe('Who reported it'),
  source: choice('web', 'disposition', 'api'),
  dialer_session_id: integer.nullable(),
  ...stored.shape,
  property: PropertyOfEvent.nullable().describe('The one that was added last'),
});

const draft = stored.partial().extend({ contact_id: stored.shape.contact_id, type: stored.shape.type });

export const eventApi = {
  find: operation({
    rest: 'GET /events',
    summary: 'List events, what happened with contacts',
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
    summary: 'Report an event of a contact',
    input: draft,
    output: EventView,
  }),
  patch: operation({
    rest: 'PATCH /events/:id',
    summary: 'Describe an event anew; only the owner of its contact may',
    input: record(EventView, { id, description: draft.shape.description }),
    output: EventView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /events/:id',
    summary: 'Remove an event with its properties; only the owner of its contact may',
    input: record(EventView, { id }),
    output: EventView,
    refuses: [notFound, forbidden],
  }),
};
