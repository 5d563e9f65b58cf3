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
    /** With the token itself it gives the pair that the token was exchanged for, and nothing without it. */
    successor_salt: p.string().nullable(),
  },
});

/** Good for one new pair of tokens. Only its hash is stored. */
export class RefreshToken extends RefreshTokenSchema.class {}
RefreshTokenSchema.setClass(RefreshToken);
