import { campaignActionRemoved } from '@crm/events';
import { type Context, publish } from '@crm/service';
import { removeActionsOf } from './campaign-action.queries.ts';
import { factOf } from './campaign-action-fact.ts';

/** Before a campaign is removed. The campaign must be held. */
export async function removeActions(ctx: Context, campaign_id: number): Promise<void> {
  for (const action of await removeActionsOf(ctx.query, campaign_id))
    publish(ctx, campaignActionRemoved, factOf(action, action, 1));
}
