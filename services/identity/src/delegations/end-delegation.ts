import { delegationEnded } from '@crm/events';
import type { Context } from '@crm/service';
import { type FilterQuery, LockMode } from '@mikro-orm/core';
import { publishFor } from '../publish-for.ts';
import { Delegation } from './delegation.entity.ts';
import { endAllTo } from './delegation.queries.ts';
import { eventData } from './delegation-event-data.ts';

/** Ends a locked delegation for good. */
export const endDelegation = (ctx: Context, delegation: Delegation, byUserId: number): Promise<void> =>
  endAll(ctx, [delegation], byUserId);

/** Ends all delegations that match a condition and have not ended; they are few. */
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

/** Ends all delegations to a broker that have not ended, which may be thousands. */
export async function endDelegationsTo(ctx: Context, brokerId: number): Promise<void> {
  publishEnded(ctx, await endAllTo(ctx.query, brokerId, ctx.now()), brokerId);
}

async function endAll(ctx: Context, delegations: readonly Delegation[], byUserId: number): Promise<void> {
  const at = ctx.now();
  for (const delegation of delegations)
    ctx.em.assign(delegation, { state: 'ended', ended_at: at, modified_at: at });
  await ctx.em.flush();
  publishEnded(ctx, delegations, byUserId);
}

type Ended = Pick<Delegation, 'id' | 'version' | 'broker_user_id' | 'user_id'>;

function publishEnded(ctx: Context, delegations: readonly Ended[], byUserId: number): void {
  for (const delegation of delegations) {
    const { user_id } = delegation;
    if (user_id == null) continue;
    publishFor(ctx, byUserId, delegationEnded, delegation, eventData({ ...delegation, user_id }));
  }
}
