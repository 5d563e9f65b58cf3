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

/**
 * What a confidential application authenticates with. Two can be valid at once, so that it is rotated without downtime.
 */
export class ApplicationSecret extends ApplicationSecretSchema.class {}
ApplicationSecretSchema.setClass(ApplicationSecret);
