import { defineEntity, p } from '@mikro-orm/core';

/** 7 days. */
export const pendingSeconds = 604_800;

/** How the delegation was allowed. */
export type GivenBy = 'account page' | 'operator' | 'new account';

const DelegationSchema = defineEntity({
  name: 'Delegation',
  tableName: 'delegations',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    broker_user_id: p.integer(),
    /** Null for an invitation to an address without an account. */
    user_id: p.integer().nullable(),
    invited_email: p.string().nullable(),
    /** The switches that the broker offers with an invitation. */
    switches: p.json<Readonly<Record<string, boolean>>>().nullable(),
    state: p.string().$type<'pending' | 'active' | 'ended'>(),
    /** Null until the user allows it. */
    given_at: p.datetime().nullable(),
    given_by: p.string().$type<GivenBy>().nullable(),
    /** When a pending delegation expires; null if never. */
    expires_at: p.datetime().nullable(),
    ended_at: p.datetime().nullable(),
    sub_account_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
});

/**
 * The permission of a broker to act as a user. It is pending until the user has allowed it and the broker has added the
 * user, then active with the sub-account, and once ended stays ended. Always loaded by its broker or its user, so it
 * has no visibility rule.
 */
export class Delegation extends DelegationSchema.class {}
DelegationSchema.setClass(Delegation);

/** Returns true for a pending delegation that has not expired. */
export function isOpen({ state, expires_at }: Delegation, now: Date): boolean {
  return state === 'pending' && (!expires_at || expires_at > now);
}
