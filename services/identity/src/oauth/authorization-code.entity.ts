import { defineEntity, p } from '@mikro-orm/core';

const AuthorizationCodeSchema = defineEntity({
  name: 'AuthorizationCode',
  tableName: 'authorization_codes',
  properties: {
    id: p.integer().primary(),
    code_hash: p.string(),
    family_id: p.integer(),
    redirect_uri: p.string(),
    code_challenge: p.string().nullable(),
    expires_at: p.datetime(),
    used_at: p.datetime().nullable(),
  },
});

/** Issued for an approval. The application exchanges it once for tokens. Only its hash is stored. */
export class AuthorizationCode extends AuthorizationCodeSchema.class {}
AuthorizationCodeSchema.setClass(AuthorizationCode);
