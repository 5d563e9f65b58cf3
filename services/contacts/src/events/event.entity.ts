import { defineEntity, p } from '@mikro-orm/core';

const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    contact_id: p.integer(),
    source: p.string(),
    type: p.string(),
    description: p.string().nullable(),
    site_domain: p.string().nullable(),
    dialer_session_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
});

/**
 * Something that happened with a contact. It is only ever loaded after its contact was, on behalf of someone,
 * and so has no rule of sight of its own.
 */
export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
