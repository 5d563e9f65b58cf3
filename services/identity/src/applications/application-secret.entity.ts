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
 * A secret with which a confidential application authenticates. Two can be valid at once, so that secrets can be
 * rotated without downtime.
 */
export class ApplicationSecret extends ApplicationSecretSchema.class {}
ApplicationSecretSchema.setClass(ApplicationSecret);
