export type Scope = 'read' | 'write';

/** What a broker decides for one sub-account: which of the broker's things it uses, and which of its own it may make. */
export interface BrokerSwitches {
  readonly user_can_see_broker_hotnesses: boolean;
  readonly is_lead_sources_enabled: boolean;
  readonly is_contact_activity_settings_enabled: boolean;
  readonly is_lead_status_enabled: boolean;
  readonly is_contact_types_enabled: boolean;
  readonly is_custom_fields_enabled: boolean;
  readonly is_contact_ownership_enabled: boolean;
  readonly user_can_create_own_hotnesses: boolean;
  readonly is_lead_sources_new_enabled: boolean;
  readonly is_contact_activity_settings_new_enabled: boolean;
  readonly is_lead_status_new_enabled: boolean;
  readonly is_custom_fields_new_enabled: boolean;
  readonly is_contact_ownership_new_enabled: boolean;
  readonly is_contact_types_new_enabled: boolean;
}

/** A person who asks, and everyone that person's rights depend on, as identity had it when the request began. */
export interface User {
  readonly id: number;
  readonly timezone: string;
  readonly scopes: readonly Scope[];
  readonly is_broker: boolean;
  /** The broker whose sub-account this user is. */
  readonly broker: { readonly id: number; readonly switches: BrokerSwitches } | null;
  readonly sub_account_user_ids: readonly number[];
  /** Teams this user has made or joined. */
  readonly team_ids: readonly number[];
  /** Creators and accepted members of the teams this user is in, without the user. */
  readonly teammate_ids: readonly number[];
  /** Those of them in teams that share contacts. */
  readonly sharing_teammate_ids: readonly number[];
}

/** Workers, event handlers and operators act for nobody in particular. */
export const system = { system: true } as const;

export type Actor = User | typeof system;

export function isUser(actor: Actor): actor is User {
  return !('system' in actor);
}

/** How logs and events name an actor. */
export function actorName(actor: Actor): string {
  return isUser(actor) ? `user/${actor.id}` : 'system';
}

/** The owners whose records a user sees: the user, and the broker where a switch says so. */
export function ownersSeenBy({ id, broker }: User, sharing: keyof BrokerSwitches): number[] {
  return broker?.switches[sharing] ? [id, broker.id] : [id];
}

/** Who a record may be assigned to: oneself, the people of one's teams, one's broker and one's sub-accounts. */
export function peopleOf({ id, broker, sub_account_user_ids, teammate_ids }: User): Set<number> {
  return new Set([id, ...teammate_ids, ...sub_account_user_ids, ...(broker ? [broker.id] : [])]);
}
