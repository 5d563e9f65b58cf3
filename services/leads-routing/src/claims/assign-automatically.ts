import { settleAlert } from './claim.queries.ts';
import { type Claiming, claimLead, type Outcome } from './claim-lead.ts';

/** An alert of the kind `Assign` that a worker holds, with whom it gives which lead. */
export interface Assignment {
  readonly id: number;
  readonly lead_id: number;
  readonly user_id: number;
}

/**
 * Gives a lead to a member who did not have to ask for it, unless somebody has claimed it, and ends the alert with it
 * in one transaction. Done again after a crash it finds what it has done.
 */
export async function assignAutomatically(
  ctx: Claiming,
  { id, lead_id, user_id }: Assignment,
): Promise<void> {
  const outcome = await claimLead(ctx, { lead_id, user_id, via: 'Auto' });
  await settleAlert(ctx.query, id, settlementOf(outcome, user_id));
}

function settlementOf(outcome: Outcome, user_id: number) {
  switch (outcome.is) {
    case 'claimed':
      return outcome.claimed_by_user_id === user_id
        ? ({ state: 'Done', reason: null } as const)
        : ({ state: 'Dropped', reason: 'The lead was claimed.' } as const);
    case 'not due':
      return { state: 'Waiting', reason: null } as const;
    case 'not offered':
    case 'void':
      return { state: 'Dropped', reason: 'The offer is void.' } as const;
  }
}
