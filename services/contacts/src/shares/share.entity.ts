import { defineEntity, p } from '@mikro-orm/core';

const ShareSchema = defineEntity({
  name: 'Share',
  tableName: 'contact_shares',
  properties: {
    id: p.integer().primary(),
    contact_id: p.integer(),
    user_id: p.integer(),
    shared_by_user_id: p.integer(),
    created_at: p.datetime(),
  },
});

/**
 * A contact shown to one more person. Part of the contact: it is only ever reached through a contact that
 * was looked up on behalf of someone, and so has no rule of sight of its own.
 */
export class Share extends ShareSchema.class {}
ShareSchema.setClass(Share);
