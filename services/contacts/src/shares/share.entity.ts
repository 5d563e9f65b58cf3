import { defineEntity, p } from '@mikro-orm/core';

const ShareSchema = defineEntity({
  name: 'Share',
  tableName: 'contact_shares',
  properties: {
    id: p.integer().primary(),
    contact_id: p.integer(),
    user_id: p.integer(),
    shared_by_user_id: p.integer(),
    /** Set if a broker shared it on behalf of the user. */
    delegation_id: p.integer().nullable(),
    created_at: p.datetime(),
  },
});

/**
 * A contact made visible to one more user. Part of the contact: it is only reached through a contact that was loaded
 * for an actor, and therefore has no visibility rule of its own.
 */
export class Share extends ShareSchema.class {}
ShareSchema.setClass(Share);
