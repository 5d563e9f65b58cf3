import { isIP } from 'node:net';
import type { BrokerSwitch, BrokerSwitches } from '@crm/contract';

export type Scope = 'read' | 'write';

/** A broker who makes a request with the token of a sub-account, and the delegation that allows it. */
export interface ActingBroker {
  readonly id: number;
  readonly delegation_id: number;
}

/** The credential of a request as the audit log names it. It contains no secret. */
export interface Access {
  readonly token_id: number;
  /** The OAuth client that the token was issued to. */
  readonly client_id: string | null;
  /** The network address of the client, if the request came through the gateway. */
  readonly address: string | null;
}

/** The user who makes a request, and everyone on whom the user's rights depend, as of the start of the request. */
export interface User {
  readonly id: number;
  readonly timezone: string;
  readonly scopes: readonly Scope[];
  /** The broker who acts as the user, like the claim `act` of RFC 8693 §4.1; null if the user acts. */
  readonly act: ActingBroker | null;
  /** Null for a user without a credential, on whose behalf deferred work is done. */
  readonly access: Access | null;
  readonly is_broker: boolean;
  /** The broker whose sub-account this user is. */
  readonly broker: { readonly id: number; readonly switches: BrokerSwitches } | null;
  readonly sub_account_user_ids: readonly number[];
  /** Teams that this user has created or joined. */
  readonly team_ids: readonly number[];
  /** Creators and accepted members of this user's teams, without the user. */
  readonly teammate_ids: readonly number[];
  /** Those of them whose teams share contacts. */
  readonly sharing_teammate_ids: readonly number[];
}

/** Workers, event handlers and operators, who act for no particular user. */
export interface System {
  readonly system: true;
  /** The owner of the presented credential. Undefined inside a service, where there is none. */
  readonly caller?: string;
}

/** The system as an actor inside a service. */
export const system: System = { system: true };

/** The gateway itself, which passes on raw requests. */
export const gateway: System = { system: true, caller: 'gateway' };

/** A user without any rights or colleagues. */
export const withoutRights = (id: number): User => ({
  id,
  timezone: 'UTC',
  scopes: [],
  act: null,
  access: null,
  is_broker: false,
  broker: null,
  sub_account_user_ids: [],
  team_ids: [],
  teammate_ids: [],
  sharing_teammate_ids: [],
});

export type Actor = User | System;

export function isUser(actor: Actor): actor is User {
  return !('system' in actor);
}

/** The actor of a request from this network address. */
export function actorAt(actor: Actor, address: string | null): Actor {
  if (!isUser(actor) || !actor.access) return actor;
  return { ...actor, access: { ...actor.access, address: readAddress(address) } };
}

/** A network address, or null for any other text: a proxy may pass on what a client has invented. */
export function readAddress(text: string | null): string | null {
  return text !== null && isIP(text) !== 0 && text.length <= 45 ? text : null;
}

/** The name of an actor in logs and events. */
export function actorName(actor: Actor): string {
  return isUser(actor) ? `user/${actor.id}` : 'system';
}

/** The name of the broker who acts as the user, in logs and events. */
export function actingName(actor: Actor): string | undefined {
  return isUser(actor) && actor.act ? `user/${actor.act.id}` : undefined;
}

/** The account whose requests are counted together: a broker who acts for many users has one share, not one for each of them. */
export function countedAccount(actor: Actor): number | undefined {
  return isUser(actor) ? (actor.act?.id ?? actor.id) : undefined;
}

/** The owners whose records a user sees: the user, and the broker if the switch is on. */
export function ownersSeenBy({ id, broker }: User, sharing: BrokerSwitch): number[] {
  return broker?.switches[sharing] ? [id, broker.id] : [id];
}

/** The users with whom somebody works: teammates, the broker and sub-accounts, and also the user. */
export function connectionsOf({ id, broker, sub_account_user_ids, teammate_ids }: User): Set<number> {
  return new Set([id, ...teammate_ids, ...sub_account_user_ids, ...(broker ? [broker.id] : [])]);
}

/**
 * The users to whom a record may be assigned or with whom it may be shared. They do not include a broker who acts as the user,
 * who could otherwise keep the records of a sub-account after the delegation has ended.
 */
export function peopleOf(user: User): Set<number> {
  const people = connectionsOf(user);
  if (user.act) people.delete(user.act.id);
  return people;
}
