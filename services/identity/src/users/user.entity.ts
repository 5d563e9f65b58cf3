import { defineEntity, p } from '@mikro-orm/core';

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    email: p.string(),
    first_name: p.string().nullable(),
    last_name: p.string().nullable(),
    username: p.string().nullable(),
    phone: p.string().nullable(),
    pending_phone: p.string().nullable(),
    system_phone: p.string().nullable(),
    profile_picture: p.string().nullable(),
    timezone: p.string(),
    has_text_alerts: p.boolean().default(true),
    has_call_alerts: p.boolean().default(true),
    password_hash: p.string(),
    is_broker: p.boolean(),
    disabled_at: p.datetime().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
});

/**
 * The account of an agent or a broker. Always loaded by id or e-mail address, so it has no visibility rule; the read
 * model has one.
 */
export class User extends UserSchema.class {}
UserSchema.setClass(User);
