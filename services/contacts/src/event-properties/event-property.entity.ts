import { defineEntity, p } from '@mikro-orm/core';

const EventPropertySchema = defineEntity({
  name: 'EventProperty',
  tableName: 'event_properties',
  properties: {
    id: p.integer().primary(),
    api_event_id: p.integer(),
    contact_id: p.integer(),
    mls: p.string().nullable(),
    url: p.string().nullable(),
    address: p.string().nullable(),
    city: p.string().nullable(),
    state: p.string().nullable(),
    zip: p.string().nullable(),
    beds: p.integer().nullable(),
    full_baths: p.integer().nullable(),
    half_baths: p.integer().nullable(),
    type: p.string().nullable(),
    square_feet: p.string().nullable(),
    listing_price: p.decimal('number').nullable(),
    listing_status: p.string().nullable(),
    listing_days_on_market: p.integer().nullable(),
    estimated_value: p.decimal('number').nullable(),
    last_sold_at: p.datetime().nullable(),
    last_sold_price: p.decimal('number').nullable(),
    latitude: p.double().nullable(),
    longitude: p.double().nullable(),
    images: p.string().nullable(),
    year_built: p.integer().nullable(),
    listed_at: p.datetime().nullable(),
  },
});

/**
 * A house or apartment that a contact event is about. Part of that event: it is only reached through one that was loaded for an
 * actor, and therefore has no visibility rule of its own.
 */
export class EventProperty extends EventPropertySchema.class {}
EventPropertySchema.setClass(EventProperty);
