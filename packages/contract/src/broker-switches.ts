/** Which of the broker's records a sub-account uses. */
export const useSwitches = [
  'user_can_see_broker_hotnesses',
  'is_lead_sources_enabled',
  'is_contact_activity_settings_enabled',
  'is_lead_status_enabled',
  'is_contact_types_enabled',
  'is_custom_fields_enabled',
  'is_contact_ownership_enabled',
] as const;

/** Which records it may create itself. */
export const createSwitches = [
  'user_can_create_own_hotnesses',
  'is_lead_sources_new_enabled',
  'is_contact_activity_settings_new_enabled',
  'is_lead_status_new_enabled',
  'is_custom_fields_new_enabled',
  'is_contact_ownership_new_enabled',
  'is_contact_types_new_enabled',
] as const;

export const brokerSwitches = [...useSwitches, ...createSwitches] as const;
export type BrokerSwitch = (typeof brokerSwitches)[number];

/** A broker's settings for one sub-account. */
export type BrokerSwitches = Readonly<Record<BrokerSwitch, boolean>>;

/** The same value for each switch. */
export const eachSwitch = <Name extends BrokerSwitch, Value>(names: readonly Name[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>;
