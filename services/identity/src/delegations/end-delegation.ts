import { delegationEnded } from '@crm/events';
import type { Context } from '@crm/service';
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { publishFor } from '../publish-for.ts';
import { Delegation } from './delegation.entity.ts';
import { eventData } from './delegation-event-data.ts';

/** Ends a locked delegation for good. */
export async function endDelegation(ctx: Context, delegation: Delegation, byUserId: number): Promise<void> {
  const { user_id } = delegation;
  ctx.em.assign(delegation, { state: 'ended', ended_at: ctx.now(), modified_at: ctx.now() });
  await ctx.em.flush();
  if (user_id == null) return;
  publishFor(ctx, byUserId, delegationEnded, delegation, eventData({ ...delegation, user_id }));
}

/** Ends those that meet a condition and have not ended yet. */
export async function endDelegations(
  ctx: Context,
  which: FilterQuery<Delegation>,
  byUserId: number,
): Promise<void> {
  const delegations = await ctx.em.find(
    Delegation,
    { $and: [which, { state: ['pending', 'active'] }] },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 1 } },
  );
  for (const delegation of delegations) await endDelegation(ctx, delegation, byUserId);
}
