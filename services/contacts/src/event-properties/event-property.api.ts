import { find, forbidden, id, notFound, operation, pageOf, record } from '@crm/contract';
import { EventPropertyView, propertyDraft } from '../events/event-property-view.api.ts';
import { teams } from '../events/teams.api.ts';

const draft = propertyDraft.partial().extend({
  sqft: propertyDraft.shape.square_feet
    .optional()
    .describe('An alias of square_feet, which takes precedence'),
});

const event_id = id;

export const eventPropertyApi = {
  find: operation({
    rest: 'GET /events/:event_id/properties',
    summary: 'List the properties of an event',
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
    input: draft.extend({ event_id, teams }),
    output: EventPropertyView,
    query: ['teams'],
    refuses: [notFound],
  }),
  patch: operation({
    rest: 'PATCH /events/:event_id/properties/:id',
    summary: 'Change a property of an event (owner of the contact only)',
    input: record(EventPropertyView, { event_id, id, ...draft.shape }),
    output: EventPropertyView,
    refuses: [notFound, forbidden],
  }),
  remove: operation({
    rest: 'DELETE /events/:event_id/properties/:id',
    summary: 'Remove a property from an event (owner of the contact only)',
    input: record(EventPropertyView, { event_id, id }),
    output: EventPropertyView,
    refuses: [notFound, forbidden],
  }),
};
