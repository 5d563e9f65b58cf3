import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { after } from '../after.ts';
import { User } from '../users/user.entity.ts';
import { Delegation, isOpen, pendingSeconds } from './delegation.entity.ts';
import { countInvitations, ensureInvitation } from './delegation.queries.ts';

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
  await ensureInvitation(ctx.query, brokerId, address, ctx.now());
  const delegation = await ctx.em.findOneOrFail(
    Delegation,
    {
      broker_user_id: brokerId,
      state: ['pending', 'active'],
      $or: [{ invited_email: address }, ...(user ? [{ user_id: user.id }] : [])],
    },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { user_id: 'asc nulls last' } },
  );
  const isKnown = delegation.sub_account_id != null || delegation.given_at != null;
  if (delegation.state === 'active' || (isKnown && isOpen(delegation, ctx.now()))) return 'known';
  ctx.em.assign(delegation, {
    invited_email: address,
    switches,
    given_at: null,
    given_by: null,
    expires_at: after(ctx.now(), pendingSeconds),
    modified_at: ctx.now(),
  });
  await ctx.em.flush();
  return 'invited';
}
