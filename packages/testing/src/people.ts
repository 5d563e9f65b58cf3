import { type BrokerSwitches, type User, withoutRights } from '@crm/auth';

let last = 1000;

/** A new user with a unique id. */
export function someone(facts: Partial<User> = {}): User {
  last += 1;
  return { ...withoutRights(last), timezone: 'America/Los_Angeles', scopes: ['write'], ...facts };
}

const defaultSwitches: BrokerSwitches = {
  user_can_see_broker_hotnesses: false,
  is_lead_sources_enabled: false,
  is_contact_activity_settings_enabled: false,
  is_lead_status_enabled: false,
  is_contact_types_enabled: false,
  is_custom_fields_enabled: false,
  is_contact_ownership_enabled: false,
  user_can_create_own_hotnesses: true,
  is_lead_sources_new_enabled: true,
  is_contact_activity_settings_new_enabled: true,
  is_lead_status_new_enabled: true,
  is_custom_fields_new_enabled: true,
  is_contact_ownership_new_enabled: true,
  is_contact_types_new_enabled: true,
};

/** A sub-account of a broker, with the given switches and defaults for the others. */
export function agentOf(broker: User, switches: Partial<BrokerSwitches> = {}): User {
  return someone({ broker: { id: broker.id, switches: { ...defaultSwitches, ...switches } } });
}

/** A user in a team with the given people that does not share contacts. */
export function teammateOf(...people: readonly User[]): User {
  return someone({ teammate_ids: people.map(({ id }) => id) });
}
