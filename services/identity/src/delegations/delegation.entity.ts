import { defineEntity, p } from '@mikro-orm/core';

/** 7 days. */
export const pendingSeconds = 604_800;

/** How a user has allowed it. */
export type GivenBy = 'account page' | 'operator' | 'new account';

const DelegationSchema = defineEntity({
  name: 'Delegation',
  tableName: 'delegations',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    broker_user_id: p.integer(),
    /** Null for an invitation to an address that no account has. */
    user_id: p.integer().nullable(),
    invited_email: p.string().nullable(),
    /** What the broker offers with an invitation. */
    switches: p.json<Readonly<Record<string, boolean>>>().nullable(),
    state: p.string().$type<'pending' | 'active' | 'ended'>(),
    /** Null until the user allows it. */
    given_at: p.datetime().nullable(),
    given_by: p.string().$type<GivenBy>().nullable(),
    /** The end of a pending one; null if it waits without limit. */
    expires_at: p.datetime().nullable(),
    ended_at: p.datetime().nullable(),
    sub_account_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
  },
});

/**
 * That a broker may act as a user. It is pending while the user has not allowed it, or the broker has not added the user
 * yet; active with the sub-account; and ended for good. Always loaded by its broker or its user, so it has no visibility
 * rule.
 */
export class Delegation extends DelegationSchema.class {}
DelegationSchema.setClass(Delegation);

/** Whether a pending delegation still counts. */
export function isOpen({ state, expires_at }: Delegation, now: Date): boolean {
  return state === 'pending' && (!expires_at || expires_at > now);
}
