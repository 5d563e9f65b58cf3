import { defineEntity, p } from '@mikro-orm/core';

const AddressSchema = defineEntity({
  name: 'Address',
  tableName: 'addresses',
  properties: {
    id: p.integer().primary(),
    contact_id: p.integer(),
    type: p.string().nullable(),
    street_address_1: p.string().nullable(),
    street_address_2: p.string().nullable(),
    zip: p.string().nullable(),
    city: p.string().nullable(),
    state: p.string().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
});

/**
 * A postal address of a contact. Part of the contact: it is only reached through a contact that was loaded for an
 * actor, and therefore has no visibility rule of its own.
 */
export class Address extends AddressSchema.class {}
AddressSchema.setClass(Address);
