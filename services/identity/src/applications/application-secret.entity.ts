import { defineEntity, p } from '@mikro-orm/core';

const ApplicationSecretSchema = defineEntity({
  name: 'ApplicationSecret',
  tableName: 'application_secrets',
  properties: {
    id: p.integer().primary(),
    application_id: p.integer(),
    secret_hash: p.string(),
    created_at: p.datetime(),
    ends_at: p.datetime().nullable(),
  },
});

/** What a confidential application proves itself with. Two are good at a time, so that it can be changed while it runs. */
export class ApplicationSecret extends ApplicationSecretSchema.class {}
ApplicationSecretSchema.setClass(ApplicationSecret);
