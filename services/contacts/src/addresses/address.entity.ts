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
 * A place where a contact lives or works. Part of the contact: it is only ever reached through a contact that
 * was looked up on behalf of someone, and so has no rule of sight of its own.
 */
export class Address extends AddressSchema.class {}
AddressSchema.setClass(Address);
