import { defineEntity, p } from '@mikro-orm/core';

const AccessTokenSchema = defineEntity({
  name: 'AccessToken',
  tableName: 'access_tokens',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    token_hash: p.string(),
    user_id: p.integer(),
    name: p.string(),
    scope: p.string(),
    created_at: p.datetime(),
    expires_at: p.datetime(),
    revoked_at: p.datetime().nullable(),
    last_used_at: p.datetime().nullable(),
    sub_account_id: p.integer().nullable(),
    application_id: p.integer().nullable(),
    family_id: p.integer().nullable(),
  },
});

/**
 * The right to act as a user until the token expires or is revoked, or its family is revoked or its application removed
 * or disabled. Only its hash is stored.
 */
export class AccessToken extends AccessTokenSchema.class {}
AccessTokenSchema.setClass(AccessToken);
