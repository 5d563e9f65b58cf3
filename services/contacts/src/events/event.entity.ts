import { defineEntity, p } from '@mikro-orm/core';

const ContactEventSchema = defineEntity({
  name: 'ContactEvent',
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
    /** The provider's id of the recorded text. */
    text_id: p.string().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
});

/**
 * An activity of a contact, such as a viewed property; the API calls it an event. It is only loaded after its contact
 * was loaded for an actor, and therefore has no visibility rule of its own.
 */
export class ContactEvent extends ContactEventSchema.class {}
ContactEventSchema.setClass(ContactEvent);
