import { defineEntity, p } from '@mikro-orm/core';

const ConsentSchema = defineEntity({
  name: 'Consent',
  tableName: 'consents',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    user_id: p.integer(),
    application_id: p.integer(),
    scope: p.string(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
});

/** The scopes that a user has allowed an application. Always loaded by the user's id, so it has no visibility rule. */
export class Consent extends ConsentSchema.class {}
ConsentSchema.setClass(Consent);
