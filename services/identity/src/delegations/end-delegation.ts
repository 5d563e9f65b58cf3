import { delegationEnded } from '@crm/events';
import type { Context } from '@crm/service';
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { publishFor } from '../publish-for.ts';
import { Delegation } from './delegation.entity.ts';
import { eventData } from './delegation-event-data.ts';

/** Ends a locked delegation for good. */
export const endDelegation = (ctx: Context, delegation: Delegation, byUserId: number): Promise<void> =>
  endAll(ctx, [delegation], byUserId);

/** Ends all delegations that match a condition and have not ended. */
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
  await endAll(ctx, delegations, byUserId);
}

/** Flushes once for all of them: each flush compares everything that was loaded, which may be thousands. */
async function endAll(ctx: Context, delegations: readonly Delegation[], byUserId: number): Promise<void> {
  const at = ctx.now();
  for (const delegation of delegations)
    ctx.em.assign(delegation, { state: 'ended', ended_at: at, modified_at: at });
  await ctx.em.flush();
  for (const delegation of delegations) {
    const { user_id } = delegation;
    if (user_id == null) continue;
    publishFor(ctx, byUserId, delegationEnded, delegation, eventData({ ...delegation, user_id }));
  }
}
