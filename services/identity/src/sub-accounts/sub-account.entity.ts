import { visibleBy } from '@crm/data';
import { defineEntity, p } from '@mikro-orm/core';
import { visibleSubAccounts } from './sub-account.policy.ts';

const SubAccountSchema = defineEntity({
  name: 'SubAccount',
  tableName: 'sub_accounts',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    broker_user_id: p.integer(),
    user_id: p.integer(),
    generation: p.integer(),
    user_can_see_broker_hotnesses: p.boolean(),
    is_lead_sources_enabled: p.boolean(),
    is_contact_activity_settings_enabled: p.boolean(),
    is_lead_status_enabled: p.boolean(),
    is_contact_types_enabled: p.boolean(),
    is_custom_fields_enabled: p.boolean(),
    is_contact_ownership_enabled: p.boolean(),
    user_can_create_own_hotnesses: p.boolean(),
    is_lead_sources_new_enabled: p.boolean(),
    is_contact_activity_settings_new_enabled: p.boolean(),
    is_lead_status_new_enabled: p.boolean(),
    is_custom_fields_new_enabled: p.boolean(),
    is_contact_ownership_new_enabled: p.boolean(),
    is_contact_types_new_enabled: p.boolean(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
  filters: visibleBy(visibleSubAccounts),
});

/** A user who works for a broker, and which of the broker's records that user can use. */
export class SubAccount extends SubAccountSchema.class {}
SubAccountSchema.setClass(SubAccount);
