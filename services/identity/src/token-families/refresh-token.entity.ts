import { defineEntity, p } from '@mikro-orm/core';

const RefreshTokenSchema = defineEntity({
  name: 'RefreshToken',
  tableName: 'refresh_tokens',
  properties: {
    id: p.integer().primary(),
    token_hash: p.string(),
    family_id: p.integer(),
    parent_id: p.integer().nullable(),
    created_at: p.datetime(),
    expires_at: p.datetime(),
    used_at: p.datetime().nullable(),
    /** The network that used the token first, and how often it was used again. */
    used_network: p.string().nullable(),
    replays: p.integer().default(0),
    /** Together with the token it yields the pair that the token was exchanged for; alone it is useless. */
    successor_salt: p.string().nullable(),
  },
});

/** A token that can be exchanged once for a new pair. Only its hash is stored. */
export class RefreshToken extends RefreshTokenSchema.class {}
RefreshTokenSchema.setClass(RefreshToken);
