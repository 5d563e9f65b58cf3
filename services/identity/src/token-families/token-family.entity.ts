import { defineEntity, p } from '@mikro-orm/core';

const TokenFamilySchema = defineEntity({
  name: 'TokenFamily',
  tableName: 'token_families',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    application_id: p.integer(),
    user_id: p.integer(),
    scope: p.string(),
    created_at: p.datetime(),
    ends_at: p.datetime(),
    revoked_at: p.datetime().nullable(),
  },
});

/**
 * Everything issued for one approval: the code, and the access and refresh tokens exchanged for it. They are revoked
 * together: everything in a revoked family is refused, including tokens that a concurrent request still adds.
 */
export class TokenFamily extends TokenFamilySchema.class {}
TokenFamilySchema.setClass(TokenFamily);
