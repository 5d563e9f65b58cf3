import { invalidField } from '@crm/contract';
import { delegationGiven } from '@crm/events';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { after } from '../after.ts';
import { Delegation, type GivenBy, isOpen, pendingSeconds } from '../delegations/delegation.entity.ts';
import { ensureDelegation } from '../delegations/delegation.queries.ts';
import { eventData } from '../delegations/delegation-event-data.ts';
import { endDelegation } from '../delegations/end-delegation.ts';
import { lockPair } from '../delegations/lock-pair.ts';
import { publishFor } from '../publish-for.ts';
import { noteEvent } from '../security-events/note-event.ts';
import type { Origin } from '../security-events/security-event.queries.ts';
import { createSubAccount } from './create-sub-account.ts';
import { Switches } from './sub-account.api.ts';
import { lockSubAccountOf, renewToken } from './sub-account-token.ts';

interface Consent {
  readonly brokerId: number;
  readonly userId: number;
  readonly by: GivenBy;
  /** Undefined if the operator enters it. */
  readonly origin: Origin | undefined;
}

/**
 * Lets a broker act as a user. An invitation of the broker becomes a sub-account with the switches that it offers, and
 * a sub-account that waits for consent gets a token. Otherwise the broker can add the user once, in the next 7 days.
 * Repeating it changes nothing once the delegation is active. Throws BadRequest.
 */
export async function allowBroker(
  ctx: Context,
  { brokerId, userId, by, origin }: Consent,
  key: string,
): Promise<Delegation> {
  const { broker, user } = await lockPair(ctx, brokerId, userId);
  if (!broker) throw invalidField('broker', 'is not an active broker');
  if (!user) throw invalidField('user', 'must be an active user who is not a broker');
  const subAccount = await lockSubAccountOf(ctx, userId);
  if (subAccount && subAccount.broker_user_id !== brokerId)
    throw invalidField('user', 'already has another broker');
  const delegation = await lockOpenDelegation(ctx, brokerId, userId);
  if (delegation.state === 'active') return delegation;
  // An account that was created for a broker waits for that broker without a time limit.
  const given_by = delegation.given_by === 'new account' ? delegation.given_by : by;
  ctx.em.assign(delegation, {
    given_at: ctx.now(),
    given_by,
    expires_at: given_by === 'new account' ? null : after(ctx.now(), pendingSeconds),
    modified_at: ctx.now(),
  });
  await ctx.em.flush();
  await noteEvent(ctx.query, { userId, kind: 'broker allowed', origin, delegationId: delegation.id });
  publishFor(ctx, userId, delegationGiven, delegation, eventData({ ...delegation, user_id: userId }));
  if (subAccount) {
    ctx.em.assign(delegation, { state: 'active', expires_at: null });
    renewToken(ctx, subAccount, key);
  } else if (delegation.switches) {
    const switches = Switches.parse(delegation.switches);
    await createSubAccount(ctx, { delegation, user_id: userId, switches }, userId, key);
  }
  await ctx.em.flush();
  return delegation;
}

/** Locks the current delegation between a broker and a user; creates one if there is none or it has expired. */
async function lockOpenDelegation(
  ctx: Context,
  broker_user_id: number,
  user_id: number,
): Promise<Delegation> {
  const which = { broker_user_id, user_id, state: ['pending' as const, 'active' as const] };
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const known = await ctx.em.findOne(Delegation, which, lock);
  if (known?.state === 'pending' && !isOpen(known, ctx.now())) await endDelegation(ctx, known, user_id);
  else if (known) return known;
  await ensureDelegation(ctx.query, broker_user_id, user_id, ctx.now());
  return ctx.em.findOneOrFail(Delegation, which, lock);
}
