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

/** What a user has let an application do. It is reached with the user's id only, so it has no rule of sight. */
export class Consent extends ConsentSchema.class {}
ConsentSchema.setClass(Consent);
