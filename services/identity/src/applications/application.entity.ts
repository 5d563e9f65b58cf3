import { defineEntity, p } from '@mikro-orm/core';

const ApplicationSchema = defineEntity({
  name: 'Application',
  tableName: 'applications',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    owner_user_id: p.integer(),
    name: p.string(),
    client_id: p.string(),
    is_public: p.boolean(),
    allows_implicit: p.boolean(),
    redirect_uris: p.array(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    disabled_at: p.datetime().nullable(),
    /** A removed application is hidden and disabled until a worker has deleted everything that belongs to it. */
    removed_at: p.datetime().nullable(),
  },
});

/**
 * An OAuth client: a program that users can allow to act for them. Anyone may know about it, and changes check its
 * owner, so it has no visibility rule.
 */
export class Application extends ApplicationSchema.class {}
ApplicationSchema.setClass(Application);
