import type { TransactionContext } from '@crm/service';
import { leadWasClaimed } from '../waiting-alert.queries.ts';
import { type Member, settleAlert } from './claim.queries.ts';
import { claimLead } from './claim-lead.ts';
import type { Outcome } from './offer-state.ts';

/** A leased alert of the kind `Assign`, with the lead and the user to assign it to. */
export interface Assignment {
  readonly id: number;
  readonly attempts: number;
  readonly lead_id: number;
  readonly user: Member;
}

/**
 * Assigns a lead to a member without a claim, unless it has been claimed, and settles the alert in the same
 * transaction. Repeating it after a crash changes nothing.
 */
export async function assignAutomatically(
  ctx: TransactionContext,
  { id, attempts, lead_id, user }: Assignment,
): Promise<void> {
  const outcome = await claimLead(ctx, { lead_id, user, via: 'Auto' });
  await settleAlert(ctx.query, { id, attempts }, settlementOf(outcome, user.id));
}

function settlementOf(outcome: Outcome, user_id: number) {
  switch (outcome.is) {
    case 'claimed':
      return outcome.claimed_by_user_id === user_id
        ? ({ state: 'Done', reason: null } as const)
        : ({ state: 'Dropped', reason: leadWasClaimed } as const);
    case 'not due':
      return { state: 'Waiting', reason: null } as const;
    case 'not offered':
    case 'void':
      return { state: 'Dropped', reason: 'The offer is void.' } as const;
  }
}
