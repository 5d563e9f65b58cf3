import type { Context } from '@crm/service';
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { after } from '../after.ts';
import { User } from '../users/user.entity.ts';
import { Delegation, isOpen, pendingSeconds } from './delegation.entity.ts';
import { countInvitations, ensureInvitation, linkInvitations } from './delegation.queries.ts';
import { endDelegation } from './end-delegation.ts';

export const maxInvitations = 50;

interface Invitation {
  readonly brokerId: number;
  readonly email: string;
  readonly switches: Readonly<Record<string, boolean>>;
}

/**
 * Invites the user with an e-mail address to become a sub-account, for 7 days. The outcome and the work do not reveal
 * if an account has the address, unless the broker already knows that one has. Another invitation to the same address
 * replaces the previous one.
 */
export async function invite(
  ctx: Context,
  { brokerId, email, switches }: Invitation,
): Promise<'invited' | 'known' | 'too many'> {
  const address = email.toLowerCase();
  const user = await ctx.em.findOne(User, { email: address });
  const count = await countInvitations(ctx.query, brokerId);
  if (count >= maxInvitations) return 'too many';
  const which = user ? [{ invited_email: address }, { user_id: user.id }] : [{ invited_email: address }];
  let current = await lockCurrent(ctx, brokerId, which);
  if (current.length === 0) {
    await ensureInvitation(ctx.query, brokerId, address, ctx.now());
    current = await lockCurrent(ctx, brokerId, which);
  }
  const [invitation, ...others] = current;
  // None is left if the user has allowed the broker and ended it at this moment.
  if (!invitation || current.some((one) => isKnown(one, ctx.now()))) return 'known';
  for (const other of others) await endDelegation(ctx, other, brokerId);
  ctx.em.assign(invitation, {
    invited_email: address,
    switches,
    given_at: null,
    given_by: null,
    expires_at: after(ctx.now(), pendingSeconds),
    modified_at: ctx.now(),
  });
  await ctx.em.flush();
  await linkInvitations(ctx.query, user?.id ?? 0);
  return 'invited';
}

/** What a broker has with an address or its user and has not ended, also expired, that of the user first. */
const lockCurrent = ({ em }: Context, broker_user_id: number, which: FilterQuery<Delegation>[]) =>
  em.find(
    Delegation,
    { broker_user_id, state: ['pending', 'active'], $or: which },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { user_id: 'asc nulls last' } },
  );

/** Whether the list of the broker contains the user. */
function isKnown(delegation: Delegation, now: Date): boolean {
  const { state, sub_account_id, given_at } = delegation;
  return state === 'active' || ((sub_account_id != null || given_at != null) && isOpen(delegation, now));
}
